import { UsageError } from "../cli/exit-code.ts";
import { colourModes } from "../render/colour.ts";
import { nearestWord } from "./nearest-word.ts";

/** How a setting's text (flag, environment) and its JSON (file) become a value. */
interface Kind<Value> {
  fromText(text: string): Value | undefined;
  fromJson(json: unknown): Value | undefined;
  readonly expected: string;
}

const text: Kind<string> = {
  fromText: (given) => (given === "" ? undefined : given),
  fromJson: (json) => (typeof json === "string" && json !== "" ? json : undefined),
  expected: "a text",
};

const flag: Kind<boolean> = {
  fromText: (given) => ({ 1: true, true: true, 0: false, false: false })[given.toLowerCase()],
  fromJson: (json) => (typeof json === "boolean" ? json : undefined),
  expected: "true or false",
};

const days: Kind<number> = {
  fromText: (given) => days.fromJson(given.trim() === "" ? undefined : Number(given)),
  fromJson: (json) => (typeof json === "number" && Number.isFinite(json) && json > 0 ? json : undefined),
  expected: "a number of days above 0",
};

const texts: Kind<readonly string[]> = {
  fromText: (given) => given.split(/\s+/).filter((word) => word !== ""),
  fromJson: (json) => (Array.isArray(json) && json.every((item) => typeof item === "string") ? json : undefined),
  expected: "a list of texts",
};

const textLists: Kind<Readonly<Record<string, readonly string[]>>> = {
  fromText: (given) => parsedOrUndefined(given, textLists),
  fromJson: (json) =>
    isRecord(json) && Object.values(json).every((item) => texts.fromJson(item))
      ? (json as Record<string, string[]>)
      : undefined,
  expected: "an object of lists of texts",
};

const textMap: Kind<Readonly<Record<string, string>>> = {
  fromText: (given) => parsedOrUndefined(given, textMap),
  fromJson: (json) =>
    isRecord(json) && Object.values(json).every((item) => text.fromJson(item))
      ? (json as Record<string, string>)
      : undefined,
  expected: "an object of texts",
};

const colour: Kind<(typeof colourModes)[number]> = {
  fromText: (given) => colourModes.find((mode) => mode === given),
  fromJson: (json) => (typeof json === "string" ? colour.fromText(json) : undefined),
  expected: colourModes.join(", "),
};

/** Every setting by its name in the configuration file; the environment variable is `PLIMSOLL_` and the name in capitals. */
export const settingKinds = {
  /** The advisory database. */
  db: text,
  offline: flag,
  platform: text,
  output: texts,
  failOn: text,
  show: text,
  strict: flag,
  color: colour,
  /** Advisory data older than this is reported, and refused under `strict`. */
  maxDbAgeDays: days,
  /** Feed locations by feed name. */
  feeds: textMap,
  /** Mirrors to try first, by registry host. */
  mirrors: textLists,
  /** Registries that may be spoken to without TLS. */
  insecureRegistries: texts,
} as const;

/** The settings that somebody gave. */
export type GivenSettings = {
  readonly [Name in keyof typeof settingKinds]?: (typeof settingKinds)[Name] extends Kind<infer Value> ? Value : never;
};

/**
 * Settings of a configuration file, a JSON object.
 * @throws UsageError naming the file, the key and the nearest known one
 */
export function settingsOfFile(file: string, content: string): GivenSettings {
  const json = parseJson(file, content);
  if (!isRecord(json)) throw new UsageError(`${file}: expected a JSON object of settings`);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, settingOfFile(file, name, value)]));
}

/**
 * Settings of the environment: `PLIMSOLL_FAIL_ON` is `failOn`. Other variables with the prefix are none of ours.
 * @throws UsageError naming the variable
 */
export function settingsOfEnvironment(env: Readonly<Record<string, string | undefined>>): GivenSettings {
  const given = Object.entries(settingKinds).flatMap(([name, kind]) => {
    const variable = environmentName(name);
    const value = env[variable];
    if (value === undefined || value === "") return [];
    const parsed: unknown = kind.fromText(value);
    if (parsed === undefined) throw new UsageError(`${variable}: expected ${kind.expected}, found "${value}"`);
    return [[name, parsed] as const];
  });
  return Object.fromEntries(given);
}

/** The environment variable of a setting. */
export function environmentName(setting: string): string {
  return `PLIMSOLL_${setting.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;
}

function settingOfFile(file: string, name: string, value: unknown): unknown {
  const kind = Object.entries(settingKinds).find(([known]) => known === name)?.[1];
  if (kind === undefined) {
    const nearest = nearestWord(name, Object.keys(settingKinds));
    throw new UsageError(`${file}: there is no setting "${name}"; did you mean "${nearest}"?`);
  }
  const parsed: unknown = kind.fromJson(value);
  if (parsed === undefined) throw new UsageError(`${file}: ${name}: expected ${kind.expected}`);
  return parsed;
}

function parseJson(file: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UsageError(`${file}: is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function parsedOrUndefined<Value>(given: string, kind: Kind<Value>): Value | undefined {
  try {
    return kind.fromJson(JSON.parse(given));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
