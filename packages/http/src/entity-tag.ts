/**
 * Whether an `If-None-Match` header names the entity tag `tag` (given without quotes): `*`, or a list of tags, compared
 * weakly.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function noneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((each) => each.replace(/^W\//, "") === `"${tag}"`);
}
