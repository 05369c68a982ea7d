import { en } from "./en.ts";

/** The sentences of the console in the language of the visitor: English. */
export const texts = en;
