/** A text that a program has beside its version. */
export interface VersionMark {
  /**
   * The text, one byte a character. `{name}` stands for the version that is in the file's name: `3.11` of `libpython3.11.so`.
   */
  readonly text: string;
  /** The part of the version that the text ends with. */
  readonly begins?: string;
  /** What must stand right before the text; ends with `$`. Its first group is the version. */
  readonly before?: RegExp;
  /** What must stand right behind the text; begins with `^`. Its first group is the version. */
  readonly after?: RegExp;
}

/** A program that many images bring without a package manager, and how its file says which version it is. */
export interface KnownProgram {
  /** In package URLs: `pkg:generic/NAME`. */
  readonly name: string;
  /** What the names of its files begin with: the lower-case letters, and dashes between them, before anything else. */
  readonly files: readonly string[];
  /** What follows in the name; by default nothing, or `.exe`. A first group is the version that the name has. */
  readonly rest?: RegExp;
  /** `text` where the file is no executable; no more of it than one window is read. */
  readonly content?: "text";
  /** The first of them that is found in the file tells the version. */
  readonly marks: readonly VersionMark[];
  /** `VENDOR:PRODUCT` of its CPE name. */
  readonly cpe: string;
  /** The name that Bitnami's advisories, which are about what upstream projects publish, have for it; absent where they have none. */
  readonly bitnami?: string;
}
