import type { Import, ParsedSource } from "./parsed-source.ts";
import { areaRule, ruleCallRule } from "./registry-areas.ts";

/** The folders of a scanner service, from the top: each may import those below it. `""` are the files outside of them, the domain rules. */
const serviceFolders: Readonly<Record<string, readonly string[]>> = {
  indexer: ["http", "", "store", "values"],
  matcher: ["http", "", "store", "values"],
  notifier: ["http", "", "store", "values"],
};

/** The layer rules that a file breaks, as messages. */
export function brokenRules(file: ParsedSource): string[] {
  const [, name = "", root, ...rest] = file.path.split("/");
  if (name === "console" && root === "web")
    return file.imports.flatMap(({ specifier }) => outsideRule({ name, root }, rest, specifier));
  return [
    ...file.imports.flatMap((each) => importRule(name, rest, each)),
    ...sqlRule(name, rest, file),
    ...platformRules(file, { name, rest }),
    ...(name === "testing" ? [] : httpRule(file)),
    ...(name === "registry" ? rulesRule(file) : []),
    ...(name === "registry-api" ? writeRule(file) : []),
    ...(name === "server" ? quoteRule(file) : []),
  ];
}

function importRule(name: string, rest: readonly string[], { specifier, isTypeExpression }: Import): string[] {
  if (specifier.startsWith(".")) return insideRule(name, rest, specifier);
  if (!specifier.startsWith("@plimsoll/")) return [];
  const [, imported = "", ...inside] = specifier.split("/");
  const ofLint = isTypeExpression ? [`takes a type by import("${specifier}"): write import type`] : [];
  return [...ofLint, ...ruleFileRule(name, rest, { imported, inside })];
}

/**
 * The files of the registry's rules are for what turns them into responses, and for adapters; others take what its entry exports. The settings can be
 * read without the rules, so that the command starts fast.
 */
function ruleFileRule(
  name: string,
  rest: readonly string[],
  { imported, inside }: { readonly imported: string; readonly inside: readonly string[] },
): string[] {
  if (imported !== "registry" || inside.length === 0 || inside[0] === "settings" || name === "registry-adapters")
    return [];
  if (name === "registry-api") return ruleCallRule(rest, inside);
  return [`imports a file of @plimsoll/registry: take what its index.ts exports`];
}

/** What rules may take of the package that sends requests: secrets of webhooks, deadlines. */
const ofRequests: ReadonlySet<string> = new Set(["isWebhookSecret", "startDeadline", "webhookSecretPrefix"]);

/** Rules know nothing of HTTP: what they send to others goes through a port, and protocols make responses of their errors. */
function rulesRule({ imports, httpNames, textsOfHttp: [text] }: ParsedSource): string[] {
  if (text?.startsWith("/"))
    return [`names the path ${text}: add a page to ports.ts, whose address registry-api knows`];
  if (text !== undefined)
    return [`names a method of HTTP (${text}): registry-api says how, see notInList of errors.ts`];
  const taken = imports.filter(({ specifier }) => specifier.startsWith("@plimsoll/outbound"));
  const modules = imports.flatMap(({ specifier }) => (/^(?:node:)?https?$/.test(specifier) ? [specifier] : []));
  const names = taken.flatMap((each) => each.names).filter((each) => !ofRequests.has(each));
  const [found] = [...modules, ...names, ...httpNames];
  return found === undefined
    ? []
    : [
        `speaks HTTP (${found}): declare a port in words of the registry, or turn an error's code into a status in registry-api`,
      ];
}

/** Beginnings of the names of queries that write. */
const writing =
  /^(?:add|clear|delete|enable|insert|link|lock|mark|put|raise|remove|renew|set|store|unlink|update)[A-Z]/;

/** Only rules write: what an operation changes, a function of `registry` changes, with what belongs to it. */
function writeRule({ imports }: ParsedSource): string[] {
  const queries = imports.filter(({ specifier }) => /^@plimsoll\/registry\/.*\/queries(?:\/|$)/.test(specifier));
  const ofJobs = imports.filter(({ specifier }) => specifier === "@plimsoll/store").flatMap(({ names }) => names);
  const found =
    queries.flatMap(({ names, isOfTypes }) => (isOfTypes ? [] : names)).find((name) => writing.test(name)) ??
    ofJobs.find((name) => name === "enqueueJob");
  return found === undefined
    ? []
    : [`writes with a query (${found}): a function of registry does that, which rules and jobs can use too`];
}

function insideRule(name: string, rest: readonly string[], specifier: string): string[] {
  const outside = outsideRule({ name, root: "src" }, rest, specifier);
  if (outside.length > 0) return outside;
  const target = resolveFrom(rest.slice(0, -1), specifier);
  if (target.length === 1 && target[0] === "index.ts")
    return ["imports its own package's index.ts: import the file itself"];
  if (name === "registry" || name === "registry-api") return areaRule(rest, target);
  const folders = serviceFolders[name];
  if (folders === undefined || rest[0] === "index.ts") return [];
  const [own, other] = [levelOf(folders, rest), levelOf(folders, target)];
  return own > other ? [`${rest.join("/")} imports ${target.join("/")}, which is above it`] : [];
}

function levelOf(folders: readonly string[], path: readonly string[]): number {
  const level = path.length > 1 ? folders.indexOf(path[0] ?? "") : -1;
  return level < 0 ? folders.indexOf("") : level;
}

/** A folder of sources is left only for the description of its package. */
function outsideRule(
  { name, root }: { readonly name: string; readonly root: string },
  rest: readonly string[],
  specifier: string,
): string[] {
  const up = specifier.startsWith(".") ? specifier.split("/").filter((segment) => segment === "..").length : 0;
  return up < rest.length || specifier.endsWith("/package.json")
    ? []
    : [`imports ${specifier}, which is outside of packages/${name}/${root}`];
}

function resolveFrom(folder: readonly string[], specifier: string): string[] {
  const path = [...folder];
  for (const segment of specifier.split("/")) {
    if (segment === "..") path.pop();
    else if (segment !== ".") path.push(segment);
  }
  return path;
}

/** A static import reads every export of a module. One export of `node:http` loads the whole client of `fetch` when it is read: 20 ms of each start. */
function httpRule({ imports }: ParsedSource): string[] {
  return imports.some(({ specifier, isOfTypes, isBuiltin }) => specifier === "node:http" && !isOfTypes && !isBuiltin)
    ? ['imports values of node:http: take them from process.getBuiltinModule("node:http"), which starts faster']
    : [];
}

/** Values of settings and flags may contain passwords, so one function quotes them. */
function quoteRule({ textsBeforeValues }: ParsedSource): string[] {
  return textsBeforeValues.some((text) => text.endsWith('found "'))
    ? ["quotes a wrong value in a message: wrongValue of config/wrong-value.ts does that without credentials"]
    : [];
}

/** Where SQL is allowed: `queries.ts`, `queries/` and `store/` of the registry, `store/` of the scanner services, and the package `store`. */

const ofQueries: ReadonlySet<string> = new Set([
  ...["selectFrom", "selectNoFrom", "insertInto", "replaceInto", "updateTable", "deleteFrom", "mergeInto"],
  ...["innerJoin", "leftJoin", "rightJoin", "fullJoin", "where", "whereRef", "having", "onConflict", "returning"],
  ...["execute", "executeTakeFirst", "executeTakeFirstOrThrow", "executeQuery", "prepareRead"],
  ...["createTable", "alterTable", "dropTable", "createIndex", "dropIndex"],
]);

const ofRegistry: ReadonlySet<string> = new Set(["registry", "registry-api"]);

const ofDatabases = /^(?:kysely|node:sqlite|pg)\b/;

/** The problems of the SQL of a file, as messages. The path is that below `src/`. */
export function sqlRule(name: string, rest: readonly string[], { calledMembers, imports }: ParsedSource): string[] {
  if (mayQuery(name, rest)) return [];
  const found =
    [...calledMembers].find((member) => ofQueries.has(member)) ??
    imports.find(({ specifier, isOfTypes }) => ofDatabases.test(specifier) && !isOfTypes)?.specifier;
  if (found === undefined) return [];
  const place = ofRegistry.has(name)
    ? `queries of ${rest[0]} belong into ${rest[0]}/queries.ts of registry`
    : "it belongs into store/";
  return [`has SQL (${found}): ${place}`];
}

function mayQuery(name: string, rest: readonly string[]): boolean {
  if (name === "store" || name === "testing") return true;
  const isOfStore = ["indexer", "matcher", "notifier", "registry"].includes(name) && rest[0] === "store";
  const isQueries = name === "registry" && (rest.includes("queries") || rest.at(-1) === "queries.ts");
  return isOfStore || isQueries;
}

/** A part of the platform: the names and modules that give access to it, and the files that may use it. */
interface Capability {
  readonly what: string;
  readonly globals: RegExp;
  /** `MODULE` or `MODULE:NAME`. */
  readonly imports: RegExp;
  readonly mayUse: (place: Place) => boolean;
  readonly advice: string;
}

/** The location of a file: its package and its path below `src/`. */
interface Place {
  readonly name: string;
  readonly rest: readonly string[];
}

const atTheEdge =
  "take it as an argument (only server, outbound, registry-adapters, adapters/, dialects/ and jobs may)";
const whereWaiting = "take it as an argument (only server, outbound, store, registry-adapters, adapters/ and jobs may)";

const capabilities: readonly Capability[] = [
  {
    what: "the environment",
    globals: /^process$|^globalThis$/,
    imports: /^(?:node:)?process\b/,
    mayUse: isAtTheEdge,
    advice: atTheEdge,
  },
  {
    what: "the machine",
    globals: /^navigator$/,
    imports: /^(?:node:)?os\b/,
    mayUse: (place) => isAtTheEdge(place) || place.name === "scanner",
    advice: "take it as an argument (scanner may, which supplies the arguments of the services)",
  },
  {
    what: "clocks",
    globals: /^Date\.now$|^new Date\(\)$|^Date\(\)$|^Temporal\.Now$|^performance$/,
    imports: /^(?:node:)?perf_hooks\b/,
    mayUse: (place) => isAtTheEdge(place) || place.name === "store",
    advice: whereWaiting,
  },
  {
    what: "timers",
    globals: /^set(?:Timeout|Interval|Immediate)$/,
    imports: /^(?:node:)?timers\b/,
    mayUse: (place) => isAtTheEdge(place) || place.name === "store",
    advice: whereWaiting,
  },
  {
    what: "deadlines of requests",
    globals: /^AbortSignal\.timeout$/,
    imports: /^$/,
    mayUse: (place) =>
      isAtTheEdge(place) || place.name === "store" || ["registry", "registry-api"].includes(place.name),
    advice: "take the signal as an argument (registry and registry-api may make one)",
  },
  {
    what: "the network",
    globals: /^(?:WebSocket|EventSource|XMLHttpRequest)$/,
    imports:
      /^(?:node:)?(?:net|tls|dns|dgram|http2)\b|^(?:node:)?https?:(?!(?:METHODS|STATUS_CODES|IncomingMessage|ServerResponse)$)/,
    mayUse: isAtTheEdge,
    advice: atTheEdge,
  },
  {
    what: "random bytes",
    globals: /^Math\.random$|^crypto\.getRandomValues$/,
    imports: /^(?:node:)?crypto:(?:random(?!UUID)\w*|getRandomValues|generate\w+|webcrypto|default|\*)$/,
    mayUse: (place) => isAtTheEdge(place) || (place.name === "registry" && place.rest[0] === "crypto"),
    advice: "secrets are made in crypto/ of registry; other random numbers are arguments",
  },
  {
    what: "random identifiers",
    globals: /^crypto\.randomUUID$/,
    imports: /^(?:node:)?crypto:randomUUID$/,
    mayUse: ({ name }) => name !== "core",
    advice: "core is pure: take it as an argument",
  },
  {
    what: "HTTP clients",
    globals: /^$/,
    imports:
      /^(?:node:)?https?:(?:request|get|Agent|globalAgent|ClientRequest|default|\*)$|^(?:node:)?http2:(?:connect|default|\*)$/,
    mayUse: ({ name }) => name === "outbound" || name === "testing",
    advice: "requests to other hosts are sent by @plimsoll/outbound",
  },
  {
    what: "fetch()",
    globals: /^fetch$/,
    imports: /^undici(?:\/|$)/,
    mayUse: ({ name }) => name === "outbound" || name === "testing",
    advice: "requests to other hosts are sent by @plimsoll/outbound",
  },
];

/** The parts of the platform that a file uses, but may not use in its place. */
function platformRules({ globals, imports }: ParsedSource, place: Place): string[] {
  const loaded = imports
    .filter(({ specifier, isOfTypes }) => !isOfTypes || specifier.startsWith("undici"))
    .flatMap(({ specifier, names }) => [specifier, ...names.map((name) => `${specifier}:${name}`)]);
  return capabilities.flatMap(({ what, globals: used, imports: taken, mayUse, advice }) => {
    const found = [...globals].find((name) => used.test(name)) ?? loaded.find((name) => taken.test(name));
    return found === undefined || mayUse(place) ? [] : [`uses ${what} (${found}): ${advice}`];
  });
}

function isAtTheEdge({ name, rest }: Place): boolean {
  if (["server", "outbound", "registry-adapters", "testing"].includes(name)) return true;
  return ["adapters", "dialects", "jobs"].some((folder) => rest.includes(folder)) || rest.at(-1) === "jobs.ts";
}
