/** The first text after all that begin with a prefix: texts are ordered by their bytes. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
