import { UsageError } from "../cli/exit-code.ts";
import { ignoreRules } from "./ignore-rules.ts";
import { nearestWord } from "./nearest-word.ts";
import { proxySettingKinds } from "./proxy-settings.ts";
import { registrySettingKinds } from "./registry-settings.ts";
import { serviceSettingKinds } from "./service-settings.ts";
import { colour, days, flag, isRecord, type SettingKind, text, textLists, textMap, texts } from "./setting-kind.ts";

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
  /** `--fail-on` judges by what could be assessed, and does not fail for what could not. */
  allowIncomplete: flag,
  /** VEX documents whose statements take findings out. */
  vex: texts,
  /** VEX documents that are attached to an image in its registry count as well. */
  attachedVex: flag,
  kernelFindings: flag,
  /** Findings that are known and left alone. */
  ignore: ignoreRules,
  color: colour,
  /** Advisory data older than this are reported, fail a gate, and are refused under `strict`. */
  maxDbAgeDays: days,
  /** Feed locations by feed name. */
  feeds: textMap,
  /** Mirrors to try first, by registry host. */
  mirrors: textLists,
  /** Registries that may be spoken to without TLS. */
  insecureRegistries: texts,
  ...proxySettingKinds,
  ...serviceSettingKinds,
  ...registrySettingKinds,
} as const;

/** The name of a setting in a configuration file. */
export type SettingName = keyof typeof settingKinds;

/** Names that registries of this kind are known to take, in the environment and in files, beside the setting's own. */
const otherNames: Readonly<Record<string, SettingName>> = {
  BROWSER_API_CALLS_XHR_ONLY: "browserCallsXhrOnly",
};

/** The settings that were given. */
export type GivenSettings = {
  readonly [Name in keyof typeof settingKinds]?: (typeof settingKinds)[Name] extends SettingKind<infer Value>
    ? Value
    : never;
};

/**
 * Settings of a configuration file: an object.
 * @throws UsageError naming the file, the key and the nearest known one
 */
export function settingsOfFile(file: string, json: unknown): GivenSettings {
  if (!isRecord(json)) throw new UsageError(`${file}: expected settings by their names`);
  const isOther = (name: string) => name in otherNames;
  const names = Object.keys(json).sort((one, other) => Number(isOther(other)) - Number(isOther(one))); // its own name wins
  return Object.fromEntries(names.map((name) => [otherNames[name] ?? name, settingOfFile(file, name, json[name])]));
}

/**
 * Settings of the environment: `PLIMSOLL_FAIL_ON` is `failOn`. Other variables with the prefix are none of ours.
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
    if (parsed === undefined) throw unexpected(variable, kind, value);
    return [[name, parsed] as const];
  });
  return Object.fromEntries(given);
}

/**
 * Settings of flags that are not converted yet; a flag that may be repeated is a list.
 * @throws UsageError naming the flag
 */
export function settingsOfFlags(flags: Readonly<Record<string, string | readonly string[]>>): GivenSettings {
  const given = Object.entries(flags).map(([name, value]) => {
    const kind = Object.entries(settingKinds).find(([known]) => known === name)?.[1];
    const parsed: unknown = typeof value === "string" ? kind?.fromText(value) : kind?.fromJson(value);
    if (parsed === undefined) throw unexpected(flagName(name), kind, value);
    return [name, parsed] as const;
  });
  return Object.fromEntries(given);
}

function unexpected(place: string, kind: SettingKind<unknown> | undefined, value: unknown): UsageError {
  const found = kind?.isSecret ? "" : `, found "${value}"`;
  return new UsageError(`${place}: expected ${kind?.expected}${found}`);
}

function flagName(setting: string): string {
  return `--${setting.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

/** The environment variable of a setting. */
export function environmentName(setting: string): string {
  return `PLIMSOLL_${setting.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`;
}

/**
 * Every environment variable of a setting, its own first. For docs/reference/configuration.md.
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
  if (parsed === undefined) throw new UsageError(`${file}: ${name}: expected ${kind.expected}`);
  return parsed;
}
