import { UsageError } from "../cli/exit-code.ts";
import { ignoreRules } from "./ignore-rules.ts";
import { nearestWord } from "./nearest-word.ts";
import { proxySettingKinds } from "./proxy-settings.ts";
import { registrySettingKinds } from "./registry-settings.ts";
import { serviceSettingKinds } from "./service-settings.ts";
import {
  address,
  colour,
  days,
  flag,
  isRecord,
  names,
  type SettingKind,
  text,
  textLists,
  textMap,
  texts,
} from "./setting-kind.ts";
import { wrongValue } from "./wrong-value.ts";

/** Every setting by its name in the configuration file. The environment variable of `failOn` is `PLIMSOLL_FAIL_ON`. */
export const settingKinds = {
  /** The advisory database. */
  db: address,
  offline: flag,
  platform: text,
  output: texts,
  failOn: text,
  show: text,
  strict: flag,
  /** `failOn` considers only what could be assessed, and does not fail because something could not be assessed. */
  allowIncomplete: flag,
  /** VEX documents whose statements suppress findings. */
  vex: texts,
  /** Whether VEX documents that are attached to an image in its registry apply, too. */
  attachedVex: flag,
  kernelFindings: flag,
  /** Rules that suppress findings. */
  ignore: ignoreRules,
  color: colour,
  /** Advisory data older than this are reported, and fail a gate and `strict`. */
  maxDbAgeDays: days,
  /** The file of the index of published Java archives. */
  javaIndex: text,
  /** Feed locations by feed name. */
  feeds: { ...textMap, isAddress: true },
  /** Mirrors to try first, by registry host. */
  mirrors: { ...textLists, isAddress: true },
  /** Registries that may be used without TLS. */
  insecureRegistries: { ...names, isAddress: true },
  ...proxySettingKinds,
  ...serviceSettingKinds,
  ...registrySettingKinds,
} as const;

/** The name of a setting in a configuration file. */
export type SettingName = keyof typeof settingKinds;

/** Names of settings in other registries of this kind, accepted in the environment and in files beside our own. */
const otherNames: Readonly<Record<string, SettingName>> = {
  BROWSER_API_CALLS_XHR_ONLY: "browserCallsXhrOnly",
};

/** Settings that were given, by name. */
export type GivenSettings = {
  readonly [Name in keyof typeof settingKinds]?: (typeof settingKinds)[Name] extends SettingKind<infer Value>
    ? Value
    : never;
};

/**
 * Parses the settings of a configuration file.
 * @throws UsageError naming the file, the key and the nearest known one
 */
export function settingsOfFile(file: string, json: unknown): GivenSettings {
  if (!isRecord(json)) throw new UsageError(`${file}: expected an object of settings by name`);
  const isOther = (name: string) => name in otherNames;
  const names = Object.keys(json).sort((one, other) => Number(isOther(other)) - Number(isOther(one))); // our own name comes last and wins
  return Object.fromEntries(names.map((name) => [otherNames[name] ?? name, settingOfFile(file, name, json[name])]));
}

/**
 * Parses the settings of the environment: `PLIMSOLL_FAIL_ON` is `failOn`. Unknown variables with the prefix are ignored here.
 * @throws UsageError naming the variable
 */
export function settingsOfEnvironment(env: Readonly<Record<string, string | undefined>>): GivenSettings {
  const variables = [
    ...Object.entries(otherNames),
    ...Object.keys(settingKinds).map((name) => [environmentName(name), name as SettingName] as const),
  ];
  const given = variables.flatMap(([variable, name]) => {
    const [kind, value]: [SettingKind<unknown>, string | undefined] = [settingKinds[name], env[variable]];
    if (value === undefined || value === "") return [];
    const parsed = kind.fromText(value);
    if (parsed === undefined) throw wrongValue({ place: variable, expected: kind.expected, found: value, kind });
    return [[name, parsed] as const];
  });
  return Object.fromEntries(given);
}

/**
 * Parses the settings of flags; the value of a repeatable flag is a list.
 * @throws UsageError naming the flag
 */
export function settingsOfFlags(flags: Readonly<Record<string, string | readonly string[]>>): GivenSettings {
  const given = Object.entries(flags).map(([name, value]) => {
    const kind = Object.entries(settingKinds).find(([known]) => known === name)?.[1];
    const parsed: unknown = typeof value === "string" ? kind?.fromText(value) : kind?.fromJson(value);
    if (parsed === undefined)
      throw wrongValue({ place: flagName(name), expected: kind?.expected ?? "a known flag", found: value, kind });
    return [name, parsed] as const;
  });
  return Object.fromEntries(given);
}

function flagName(setting: string): string {
  return `--${setting.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

/** The environment variable of a setting. */
export function environmentName(setting: string): string {
  return `PLIMSOLL_${setting.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;
}

/**
 * Every environment variable of a setting, our own first. For docs/reference/configuration.md.
 * @internal
 */
export function environmentNames(setting: SettingName): readonly string[] {
  const others = Object.entries(otherNames).flatMap(([other, name]) => (name === setting ? [other] : []));
  return [environmentName(setting), ...others];
}

function settingOfFile(file: string, name: string, value: unknown): unknown {
  const kind = Object.entries(settingKinds).find(([known]) => known === (otherNames[name] ?? name))?.[1];
  if (kind === undefined) {
    const nearest = nearestWord(name, Object.keys(settingKinds));
    throw new UsageError(`${file}: there is no setting "${name}"; did you mean "${nearest}"?`);
  }
  const parsed: unknown = kind.fromJson(value);
  if (parsed === undefined)
    throw new UsageError(`${file}: ${name}: ${kind.problemOf?.(value) ?? `expected ${kind.expected}`}`);
  return parsed;
}
