/** The languages of the console, each by its own name. A further one is another file beside `de.ts`, and a line here and in `texts.ts`. */
export const languages = { en: "English", de: "Deutsch" } as const;

/** One of {@link languages}. */
export type Language = keyof typeof languages;

/** The name under which the browser keeps the visitor's choice. */
export const languageKey = "plimsoll.language";

const inBrowser = "document" in globalThis;

/** The languages that the browser asks for, the preferred one first; none outside of a browser. */
const wanted: readonly string[] = inBrowser ? navigator.languages : [];

/** The visitor's language: the one that was chosen here, else the first of the browser's that the console has, else English. */
export const language: Language = chosen() ?? wanted.map(languageOf).find((each) => each !== undefined) ?? "en";

/** The form of numbers and times: of the browser's own region, where it speaks the language. */
export const locale: string = wanted.find((each) => languageOf(each) === language) ?? language;

function chosen(): Language | undefined {
  return inBrowser ? languageOf(localStorage.getItem(languageKey) ?? "") : undefined;
}

/** The language of a tag such as `de-AT`. */
function languageOf(tag: string): Language | undefined {
  const [code = ""] = tag.split("-");
  return Object.hasOwn(languages, code) ? (code as Language) : undefined;
}
