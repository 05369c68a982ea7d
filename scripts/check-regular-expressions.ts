/**
 * Checks that no regular expression of what ships takes more than linear time. Prints each that may, with a text that shows it.
 * Expressions that only the running program knows must be in `exceptions`, with the reason why they are safe.
 */
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { check } from "recheck";
import { type FoundExpression, findRegularExpressions } from "./lib/find-regular-expressions.ts";

interface Place extends FoundExpression {
  readonly path: string;
}

/**
 * Each phase of the checker ends after so many steps, and not after so many milliseconds: what it says of an expression is then the same
 * on a busy machine. It ends as a whole where it has no answer after minutes.
 */
const limits = {
  randomSeed: 1,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  timeout: 300_000,
} as const;

/** By path and code. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    'packages/http/src/register.ts new RegExp(`^${path.replaceAll(/\\{\\w+\\}/g, "[^/]+")}$`)',
    "is made of the paths of our own operations",
  ],
]);

const places = globSync("packages/*/src/**/*.ts", {
  exclude: ["**/*.test.ts", "**/*.d.ts", "**/fixtures/**", "packages/testing/**"],
})
  .map((path) => path.replaceAll("\\", "/"))
  .sort()
  .flatMap((path) => findRegularExpressions(readFileSync(path, "utf8")).map((found): Place => ({ path, ...found })));
const unused = new Set(exceptions.keys());
const waiting = places.values();
const checkers = Array.from({ length: availableParallelism() }, () => complaintsOf(waiting));
const broken = (await Promise.all(checkers)).flat();
for (const name of unused) broken.push(`scripts/check-regular-expressions.ts: no longer needed: ${name}`);
for (const line of broken) console.log(line);
console.log(`${places.length} regular expressions, ${broken.length} that may take more than linear time`);
process.exit(broken.length > 0 ? 1 : 0); // the checker keeps its own process open

/** The complaints about the places that this checker takes from those that wait. */
async function complaintsOf(waiting: Iterable<Place>): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const place of waiting) {
    const text = await complaintOf(place);
    if (text !== undefined) complaints.push(text);
  }
  return complaints;
}

async function complaintOf({ path, line, source, flags, code }: Place): Promise<string | undefined> {
  if (unused.delete(`${path} ${code}`) || exceptions.has(`${path} ${code}`)) return undefined;
  if (source === undefined) return `${path}:${line}: ${code}: is only known when the program runs`;
  // A sticky expression is tried at one place only, which the checker knows of anchored ones alone.
  const [pattern, others] = flags.includes("y") ? [`^(?:${source})`, flags.replace("y", "")] : [source, flags];
  const result = await check(pattern, others, limits);
  if (result.status === "safe") return undefined;
  if (result.status === "unknown") return `${path}:${line}: ${code}: cannot be judged (${result.error.kind})`;
  return `${path}:${line}: ${code}: ${result.complexity.summary}, for example ${result.attack.pattern.slice(0, 200)}`;
}
