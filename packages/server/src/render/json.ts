/** JSON for people to read: two blanks a level, members in the order of the value. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
