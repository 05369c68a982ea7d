/** Which packages and folders may use the environment, clocks, timers, random values and the network of the platform (docs/architecture.md §1). */
import type { ParsedSource } from "./parsed-source.ts";

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
export function platformRules({ globals, imports }: ParsedSource, place: Place): string[] {
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
