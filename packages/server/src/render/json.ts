/** JSON with two blanks of indentation for each level. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
