/** What a flag or an argument may be. */
export interface Values {
  readonly words: readonly string[];
  /** `list`: one or several, with commas. `key`: what stands before a `=`. */
  readonly kind: "word" | "list" | "key";
}

/** A command and what may stand behind it. */
export interface Place {
  /** The commands before, and its own: each in all its spellings. Nothing for the program. */
  readonly path: readonly (readonly string[])[];
  readonly commands: readonly string[];
  readonly flags: readonly FlagWords[];
  /** What an argument may be. */
  readonly values: readonly string[];
}

/** A flag in all its spellings, with the values that it may have; undefined where it takes none, no words where they are free. */
export interface FlagWords {
  readonly spellings: readonly string[];
  readonly values: Values | undefined;
}
