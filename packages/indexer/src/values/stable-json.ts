/**
 * Formats a value as JSON that depends only on the value: members are sorted by name.
 * @param omitted the names of members that are left out at any depth
 */
export function stableJson(value: unknown, omitted: readonly string[] = []): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => stableJson(item, omitted)).join(",")}]`;
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined || omitted.includes(name)) continue;
    members.push(`${JSON.stringify(name)}:${stableJson(member, omitted)}`);
  }
  return `{${members.join(",")}}`;
}
