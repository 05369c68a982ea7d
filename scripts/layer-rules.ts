import { resourceRule, sqlRule } from "./registry-resources.ts";

/**
 * The allowed imports between packages and folders (docs/architecture.md §1). A line may import every line below it and nothing on its own line.
 */
const lines: readonly (readonly string[])[] = [
  ["server"],
  ["scanner"],
  ["console", "indexer", "matcher", "notifier", "registry-api"],
  ["scanner-api"],
  ["http", "outbound", "store"],
  ["core"],
];

/** Test fakes: only tests import it, and it may import everything below the services. */
const testing = "testing";

const impure: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\bprocess\.env\b/, "process.env"],
  [/\bDate\.now\(/, "Date.now()"],
  [/\bnew Date\(\)/, "new Date()"],
  [/\bMath\.random\(/, "Math.random()"],
  [/(?<![.\w])set(?:Timeout|Interval|Immediate)\(/, "timers"],
];

/** Packages that need nothing of the platform and do what the engine does not exist for: digests, taking turns, npm's order, XML, bzip2, Zstandard. */
const purePackages: readonly string[] = [
  "@noble/hashes",
  "fzstd",
  "p-limit",
  "saxes",
  "semver",
  "unbzip2-stream/lib",
  "yaml",
];

/** A source file as the rules see it: `packages/NAME/src/…` with its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What one file does that its layer forbids, in plain words. */
export function brokenRules(file: SourceFile): string[] {
  const [, name = "", , ...rest] = file.path.split("/");
  const code = withoutComments(file.text);
  const imports = [...code.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"([^"]+)"/g)].map((match) => match[1] ?? "");
  return [
    ...imports.flatMap((specifier) => importRule(name, rest, specifier)),
    ...(name === "outbound" || name === testing ? [] : ownRequests(code)),
    ...(name === "registry-api" ? sqlRule(rest, code) : []),
    ...(mayTouchTheWorld(name, rest) ? [] : impure.flatMap(([pattern, what]) => purityRule(code, pattern, what))),
  ];
}

function importRule(name: string, rest: readonly string[], specifier: string): string[] {
  if (specifier.startsWith("@plimsoll/")) return packageRule(name, specifier.split("/")[1] ?? "");
  if (specifier.startsWith(".")) return insideRule(name, rest, specifier);
  if (specifier === "undici" && name !== "outbound" && name !== testing)
    return ["imports undici: requests to other hosts are sent by @plimsoll/outbound"];
  if (name !== "core") return [];
  if (purePackages.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return [];
  return [`core imports "${specifier}": core is pure and may only import ${purePackages.join(", ")}`];
}

function packageRule(name: string, imported: string): string[] {
  if (name === testing) return imported === "core" || imported === "store" ? [] : [`testing imports ${imported}`];
  if (imported === testing) return ["only tests import @plimsoll/testing"];
  const own = lines.findIndex((line) => line.includes(name));
  const other = lines.findIndex((line) => line.includes(imported));
  if (own < 0 || other < 0) return [`@plimsoll/${imported} or ${name} has no place in the layers`];
  return other > own ? [] : [`${name} imports ${imported}, which is not below it: declare a port instead`];
}

function insideRule(name: string, rest: readonly string[], specifier: string): string[] {
  const folder = rest.slice(0, -1);
  const target = resolve(folder, specifier);
  if (target.length === 1 && target[0] === "index.ts")
    return ["imports its own package's index.ts: import the file itself"];
  if (name === "registry-api") return resourceRule(rest, target);
  const above = { store: ["http", "rules"], rules: ["http"] }[folder[0] ?? ""] ?? [];
  return above.includes(target[0] ?? "") ? [`${folder[0]}/ imports ${target[0]}/, which is above it`] : [];
}

function resolve(folder: readonly string[], specifier: string): string[] {
  const path = [...folder];
  for (const segment of specifier.split("/")) {
    if (segment === "..") path.pop();
    else if (segment !== ".") path.push(segment);
  }
  return path;
}

function mayTouchTheWorld(name: string, rest: readonly string[]): boolean {
  return ["server", "outbound", testing].includes(name) || rest.includes("adapters") || isJob(rest);
}

function isJob(rest: readonly string[]): boolean {
  return rest.includes("jobs") || rest.at(-1) === "jobs.ts";
}

function purityRule(code: string, pattern: RegExp, what: string): string[] {
  return pattern.test(code) ? [`uses ${what}: take it as an argument (only server, adapters/ and jobs/ may)`] : [];
}

/** The platform's own `fetch` has no address guard, no proxies and no deadline. */
function ownRequests(code: string): string[] {
  return /(?<![.\w])fetch\(/.test(code) ? ["uses fetch(): requests to other hosts are sent by @plimsoll/outbound"] : [];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
