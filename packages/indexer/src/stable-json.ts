/**
 * JSON whose text depends only on what the value says: members in the order of their names.
 * @param omitted members that are left out wherever they are
 */
export function stableJson(value: unknown, omitted: readonly string[] = []): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const members = Object.entries(part).filter(([name]) => !omitted.includes(name));
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
