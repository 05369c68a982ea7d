/** The folders of `packages/registry-api/src`: which may call which. */

/** The resources that each resource may call, by folder. There are no cycles: a function that two resources need moves to the lower one. */
export const resourceCalls: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  attention: ["namespace-security", "quotas", "repositories", "storage"],
  "build-hooks": ["builds", "events", "http", "logs", "mirrors"],
  builds: ["content", "events"],
  collection: ["builds", "content", "events", "mirrors", "pruning", "quotas", "security"],
  content: ["quotas"],
  distribution: [
    ...[
      "builds",
      "collection",
      "content",
      "events",
      "http",
      "logs",
      "oauth",
      "pruning",
      "pull-gate",
      "push",
      "quotas",
      "repositories",
      "robots",
    ],
    ...["security", "sign-in"],
  ],
  events: ["accounts"],
  "external-logins": ["accounts", "logs"],
  expiry: ["service-keys", "sign-in", "teams"],
  http: ["logs", "oauth", "reference-profile", "sign-in", "users"],
  "ignore-rules": ["content", "security"],
  "key-server": ["http", "service-keys"],
  logs: ["accounts", "events"],
  mirrors: ["content", "events", "logs", "signatures"],
  "namespace-security": ["content", "repositories", "security"],
  "organization-mirrors": ["logs", "mirrors", "repositories"],
  oauth: ["accounts", "events", "logs", "organizations"],
  organizations: ["accounts", "collection", "quotas", "teams"],
  pages: ["accounts", "events", "external-logins", "http", "logs", "oauth", "sign-in", "teams", "users"],
  permissions: ["accounts", "teams"],
  "proxy-caches": ["collection", "content", "logs", "mirrors", "push", "quotas", "repositories"],
  pruning: ["content", "logs"],
  push: ["builds", "collection", "content", "events", "logs", "mirrors", "pruning", "quotas", "security"],
  "pull-gate": ["content", "security", "signatures"],
  quotas: ["events", "teams"],
  "reference-profile": [
    ...["content", "events", "logs", "mirrors", "organization-mirrors", "quotas", "repositories", "security"],
  ],
  repositories: ["collection", "content", "permissions", "quotas"],
  robots: ["accounts"],
  search: ["accounts", "repositories", "teams"],
  security: ["content", "events"],
  "service-keys": ["logs", "users"],
  signatures: ["content"],
  "sign-in": ["accounts", "builds", "external-logins", "logs", "oauth", "robots", "teams"],
  storage: ["content"],
  superuser: ["accounts", "collection", "external-logins", "organizations", "quotas", "sign-in", "users"],
  teams: ["accounts", "events", "external-logins", "logs"],
  users: ["accounts", "collection", "external-logins", "logs", "oauth", "organizations", "quotas", "sign-in", "teams"],
};

/** The basis of every resource: these folders, and the files directly in `src`. They call no resource. */
const common: readonly string[] = ["access", "mail"];

/** The files that assemble everything: they may call all others, and no other file calls them. */
const assembly: readonly string[] = [
  "feature-jobs.ts",
  "index.ts",
  "jobs.ts",
  "kinds-with-rows.ts",
  "operate-registry.ts",
  "operations.ts",
  "registry.ts",
];

/** The problems of an import, as messages. Paths are segments after `src/`. */
export function resourceRule(from: readonly string[], to: readonly string[]): string[] {
  const [own, other] = [folderOf(from), folderOf(to)];
  if (own === other || own === "assembly") return [];
  if (other === "assembly") return [`imports ${to.join("/")}, which assembles everything: no other file may`];
  const unplaced = [own, other].find((folder) => !isPlaced(folder));
  if (unplaced !== undefined) return [`${unplaced}/ is missing in scripts/registry-resources.ts`];
  if (isCommon(other)) return [];
  if (isCommon(own)) return [`${from.join("/")} imports ${other}/: files that all resources use may call none of them`];
  return resourceCalls[own]?.includes(other)
    ? []
    : [`${own}/ calls ${other}/: scripts/registry-resources.ts does not allow that`];
}

/** A Mermaid diagram of the calls, without those that follow from others. */
function resourceDiagram(): string {
  const arrows = Object.entries(resourceCalls).flatMap(([resource, called]) => {
    const indirect = new Set(called.flatMap((each) => [...reachedFrom(each)]));
    return called.filter((each) => !indirect.has(each)).map((each) => `  ${resource} --> ${each}`);
  });
  return ["```mermaid", "flowchart TD", ...arrows, "```"].join("\n");
}

/** The page with its diagram replaced by the current one. */
export function withResourceDiagram(page: string): string {
  return page.replace(/```mermaid\nflowchart TD\n[\s\S]*?```/, resourceDiagram());
}

function reachedFrom(resource: string): ReadonlySet<string> {
  const called = resourceCalls[resource] ?? [];
  return new Set([...called, ...called.flatMap((each) => [...reachedFrom(each)])]);
}

function folderOf(path: readonly string[]): string {
  const [folder = ""] = path;
  if (path.length > 1) return folder;
  return assembly.includes(folder) ? "assembly" : "base";
}

function isPlaced(folder: string): boolean {
  return isCommon(folder) || Object.hasOwn(resourceCalls, folder);
}

function isCommon(folder: string): boolean {
  return folder === "base" || common.includes(folder);
}
