/** The oldest version of Node that runs the command. This file and its importer run on older versions, too. */
export const neededNode = [24, 15] as const;

/** The message for a version of Node that is too old; undefined for other versions. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1])) return undefined;
  const remedy = "install a newer Node, or in a clone use the Node that npm ci has put there";
  const ways = "npx plimsoll, or node_modules/.bin/node node_modules/.bin/plimsoll";
  return `plimsoll needs Node ${neededNode.join(".")} or later and was started on ${version}: ${remedy} (${ways})`;
}
