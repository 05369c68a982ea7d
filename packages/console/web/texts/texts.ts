import { de } from "./de.ts";
import { en } from "./en.ts";
import { language } from "./language.ts";
import type { Translated } from "./translated.ts";

/** The texts of the console in the visitor's language. All are loaded: one alone would be a file more to wait for. */
export const texts: Translated<typeof en> = { en, de }[language];
