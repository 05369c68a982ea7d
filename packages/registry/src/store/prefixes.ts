/** The pattern by which `like` finds lower-case texts that contain a part. The escape character is a backslash. */
export function likeText(part: string): string {
  return `%${part.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}

/** A text that sorts after all texts with a prefix, in byte order. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
