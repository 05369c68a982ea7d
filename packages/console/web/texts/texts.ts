import { en } from "./en.ts";
import { language } from "./language.ts";
import type { Translated } from "./translated.ts";

/** The texts of the console in the visitor's language. Only that language is loaded beside English. */
export const texts: Translated<typeof en> = language === "de" ? (await import("./de.ts")).de : en;
