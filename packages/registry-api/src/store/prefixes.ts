/** The pattern with which `like` finds texts with a part; compare lower-case texts. */
export function likeText(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** The first text after all that begin with a prefix: texts are ordered by their bytes. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
