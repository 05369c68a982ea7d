/** The known values of a flag or an argument. */
export interface Values {
  readonly words: readonly string[];
  /** `list`: one or more words, separated by commas. `key`: a word before `=`. */
  readonly kind: "word" | "list" | "key";
}

/** A command and the words that may follow it. */
export interface Place {
  /** The parent commands and the command, each in all its spellings; empty for the program itself. */
  readonly path: readonly (readonly string[])[];
  readonly commands: readonly string[];
  readonly flags: readonly FlagWords[];
  /** The known values of its arguments. */
  readonly values: readonly string[];
}

/** A flag in all its spellings. `values` is undefined for a flag without value, and has no words for a free value. */
export interface FlagWords {
  readonly spellings: readonly string[];
  readonly values: Values | undefined;
}
