import { en } from "./en.ts";

/** The texts of the console in the visitor's language: always English. */
export const texts = en;
