/** The folders of `packages/registry/src` and `packages/registry-api/src`: which may call which. */

/** The areas of the registry, and those that each may call: its rules in `registry`, its operations and views in `registry-api`. There are no cycles: a function that two areas need moves to the lower one. */
export const areaCalls: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  administration: ["accounts", "identity", "lifecycle", "organizations", "security"],
  builds: ["content", "events"],
  content: ["organizations"],
  distribution: ["content", "identity", "organizations", "repositories"],
  events: [],
  identity: ["accounts", "builds", "events", "lifecycle", "organizations"],
  lifecycle: ["builds", "content", "events", "organizations"],
  logs: ["events"],
  organizations: ["accounts", "events"],
  push: ["builds", "content", "events", "lifecycle", "organizations", "security"],
  repositories: ["accounts", "content", "organizations"],
  security: ["content", "events", "repositories"],
  sources: ["content", "events", "lifecycle", "organizations", "push", "repositories"],
};

/** What turns the rules into responses, in `registry-api`, with the parts of it that each may call. */
const protocols: Readonly<Record<string, readonly string[]>> = {
  "build-hooks": ["http"],
  distribution: ["http"],
  http: ["reference-profile"],
  "key-server": ["http"],
  pages: ["http", "identity", "logs"],
  "reference-profile": ["content", "logs", "security", "sources"],
};

/**
 * Areas whose rules are called by the operations of an area, or by a protocol, but not by its own rules. Operations and protocols stand above all rules, so that
 * these arrows close no circle.
 */
const operationCalls: Readonly<Record<string, readonly string[]>> = {
  administration: ["content", "repositories"],
  "build-hooks": ["builds"],
  distribution: ["builds", "events", "lifecycle", "push", "security"],
  http: ["accounts", "identity"],
  "key-server": ["identity"],
  organizations: ["lifecycle"],
  pages: ["accounts", "events", "organizations"],
  repositories: ["lifecycle"],
};

/** The basis of every area: these folders, and the files directly in `src`. They call no area. */
const common: readonly string[] = ["access", "crypto", "limits", "lists", "mail", "ports", "store", "values"];

/** The files that assemble everything: they may call all others, and no other file calls them. */
const assembly: readonly string[] = [
  "calls.ts",
  "index.ts",
  "jobs.ts",
  "operate-registry.ts",
  "operations.ts",
  "registry.ts",
];

/** The problems of an import inside of one of the two packages, as messages. Paths are segments after `src/`. */
export function areaRule(from: readonly string[], to: readonly string[]): string[] {
  const [own, other] = [folderOf(from), folderOf(to)];
  if (own === other || own === "assembly") return [];
  if (other === "assembly") return [`imports ${to.join("/")}, which assembles everything: no other file may`];
  const unplaced = [own, other].find((folder) => !isPlaced(folder));
  if (unplaced !== undefined) return [`${unplaced}/ is missing in scripts/registry-areas.ts`];
  if (isCommon(other)) return [];
  if (isCommon(own)) return [`${from.join("/")} imports ${other}/: files that all areas use may call none of them`];
  return areaCalls[own]?.includes(other) || protocols[own]?.includes(other)
    ? []
    : [`${own}/ calls ${other}/: scripts/registry-areas.ts does not allow that`];
}

/** The problems of an import from `registry-api` of a file of `registry`. Paths are segments after `src/`. */
export function ruleCallRule(from: readonly string[], to: readonly string[]): string[] {
  const [own, other] = [folderOf(from), folderOf(to)];
  return operationCalls[own]?.includes(other) ? [] : areaRule(from, to);
}

/** A Mermaid diagram of the calls, without those that follow from others. */
function areaDiagram(): string {
  const arrows = Object.entries(areaCalls).flatMap(([area, called]) => {
    const indirect = new Set(called.flatMap((each) => [...reachedFrom(each)]));
    return called.filter((each) => !indirect.has(each)).map((each) => `  ${area} --> ${each}`);
  });
  return ["```mermaid", "flowchart TD", ...arrows, "```"].join("\n");
}

/** The page with its diagram replaced by the current one. */
export function withAreaDiagram(page: string): string {
  return page.replace(/```mermaid\nflowchart TD\n[\s\S]*?```/, areaDiagram());
}

/** How many arrows the longest way from an area to the lowest one has. */
export function depthOf(area: string): number {
  return Math.max(0, ...(areaCalls[area] ?? []).map((each) => 1 + depthOf(each)));
}

function reachedFrom(area: string): ReadonlySet<string> {
  const called = areaCalls[area] ?? [];
  return new Set([...called, ...called.flatMap((each) => [...reachedFrom(each)])]);
}

function folderOf(path: readonly string[]): string {
  const [folder = ""] = path;
  if (path.length > 1) return folder;
  return assembly.includes(folder) ? "assembly" : "base";
}

function isPlaced(folder: string): boolean {
  return isCommon(folder) || Object.hasOwn(areaCalls, folder) || Object.hasOwn(protocols, folder);
}

function isCommon(folder: string): boolean {
  return folder === "base" || common.includes(folder);
}
