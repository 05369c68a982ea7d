/** A text next to the version in a program. */
export interface VersionMark {
  /**
   * The text, one byte per character. `{name}` is replaced by the version in the file's name: `3.11` of `libpython3.11.so`.
   */
  readonly text: string;
  /** The beginning of the version, if the text ends with it. */
  readonly begins?: string;
  /** Must match directly before the text; ends with `$`. Its first group is the version. */
  readonly before?: RegExp;
  /** Must match directly after the text; begins with `^`. Its first group is the version. */
  readonly after?: RegExp;
}

/** A program that is often installed without a package manager, and the marks of its version. */
export interface KnownProgram {
  /** The name in package URLs: `pkg:generic/NAME`. */
  readonly name: string;
  /** The beginnings of its file names: all leading lower-case letters, with dashes between them. */
  readonly files: readonly string[];
  /** The rest of the file name; by default empty or `.exe`. The first group, if any, is the version in the name. */
  readonly rest?: RegExp;
  /** `text` if the file is not an executable; such a file is read only if it is at most 1 MiB. */
  readonly content?: "text";
  /** The first mark that is found in the file has the version. */
  readonly marks: readonly VersionMark[];
  /** `VENDOR:PRODUCT` of its CPE name. */
  readonly cpe: string;
  /** The name in Bitnami's advisories, which are about releases of upstream projects; absent if they do not cover it. */
  readonly bitnami?: string;
}
