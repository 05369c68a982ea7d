/** The attributes of a CPE name, in the order of both written forms. */
export const wfnAttributes = [
  "part",
  "vendor",
  "product",
  "version",
  "update",
  "edition",
  "language",
  "swEdition",
  "targetSw",
  "targetHw",
  "other",
] as const satisfies readonly (keyof Wfn)[];

/** One of {@link wfnAttributes}. */
export type WfnAttribute = keyof Wfn;

/**
 * A well-formed CPE name. Each attribute is {@link any}, {@link notApplicable} or a lower-case text in the form of the formatted
 * string: a backslash before punctuation other than `. - _`; `*` or several `?` at either end are wildcards.
 * @see https://nvlpubs.nist.gov/nistpubs/Legacy/IR/nistir7695.pdf section 5
 */
export type Wfn = Readonly<
  Record<
    | "part"
    | "vendor"
    | "product"
    | "version"
    | "update"
    | "edition"
    | "language"
    | "swEdition"
    | "targetSw"
    | "targetHw"
    | "other",
    string
  >
>;

/** The attribute may have any value. */
export const any = "*";

/** The attribute has no meaning for this product. */
export const notApplicable = "-";

/** The parts of an attribute's text: its characters, an escaped one counted as one, and its wildcards. */
export interface Wildcards {
  /** The number of characters allowed before; Infinity for `*`. */
  readonly before: number;
  readonly characters: readonly string[];
  /** The number of characters allowed after; Infinity for `*`. */
  readonly after: number;
}

const textForm = /^(\*|\?+|)((?:[a-z0-9._-]|\\[!-/:-@[-`{-~])+)(\*|\?+|)$/;

/** The parts of an attribute's text; undefined where `text` is not of that form. */
export function findWildcards(text: string): Wildcards | undefined {
  const match = textForm.exec(text);
  if (!match) return undefined;
  const [, before = "", characters = "", after = ""] = match;
  return {
    before: widthOf(before),
    characters: characters.match(/\\?./g) ?? [],
    after: widthOf(after),
  };
}

function widthOf(wildcard: string): number {
  return wildcard === "*" ? Number.POSITIVE_INFINITY : wildcard.length;
}
