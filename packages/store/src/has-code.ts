/**
 * Whether an error of the system, or of Node, has one of the given codes.
 * @example
 * hasCode(Object.assign(new Error("no such file"), { code: "ENOENT" }), "ENOENT", "ENOTDIR"); // true
 * hasCode(new Error("a mistake of ours"), "ENOENT"); // false
 */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}
