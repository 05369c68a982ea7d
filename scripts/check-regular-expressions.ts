/**
 * Checks that every regular expression of the published code takes linear time. Prints each that may not, with a text that shows it.
 * Expressions that are built at run time must be in `exceptions`, with the reason why they are safe.
 */
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { check } from "recheck";
import { type FoundExpression, findRegularExpressions } from "./lib/find-regular-expressions.ts";

interface Place extends FoundExpression {
  readonly path: string;
}

/**
 * Each phase of the checker is limited by steps, not by time, so that its result is the same on a busy machine. The whole check of an
 * expression ends after minutes without a result.
 */
const limits = {
  randomSeed: 1,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  timeout: 300_000,
} as const;

/** The reasons, by path and code. */
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

/** The problems of the expressions that this worker takes from the waiting ones. */
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
  // A sticky expression is tried at one position only; the checker knows this only of anchored expressions.
  const [pattern, others] = flags.includes("y") ? [`^(?:${source})`, flags.replace("y", "")] : [source, flags];
  const result = await check(pattern, others, limits);
  if (result.status === "safe") return undefined;
  if (result.status === "unknown") return `${path}:${line}: ${code}: cannot be judged (${result.error.kind})`;
  return `${path}:${line}: ${code}: ${result.complexity.summary}, for example ${result.attack.pattern.slice(0, 200)}`;
}
