import { UsageError } from "../cli/exit-code.ts";
import { allSettings, type SettingName, settingNamed } from "./all-settings.ts";
import { nearestWord } from "./nearest-word.ts";
import type { ValueOf } from "./setting.ts";
import { isRecord, type SettingKind } from "./setting-kind.ts";
import { wrongValue } from "./wrong-value.ts";

/** Names of settings in other registries of this kind, accepted in the environment and in files beside our own. */
const otherNames: Readonly<Record<string, SettingName>> = {
  BROWSER_API_CALLS_XHR_ONLY: "browserCallsXhrOnly",
};

const names = Object.keys(allSettings) as readonly SettingName[];

/** Settings that were given, by name. */
export type GivenSettings = {
  readonly [Name in SettingName]?: ValueOf<(typeof allSettings)[Name]>;
};

/**
 * Parses the settings of a configuration file.
 * @throws UsageError naming the file, the key and the nearest known one
 */
export function settingsOfFile(file: string, json: unknown): GivenSettings {
  if (!isRecord(json)) throw new UsageError(`${file}: expected an object of settings by name`);
  const isOther = (name: string) => name in otherNames;
  const given = Object.keys(json).sort((one, other) => Number(isOther(other)) - Number(isOther(one))); // our own name comes last and wins
  return Object.fromEntries(given.map((name) => [otherNames[name] ?? name, settingOfFile(file, name, json[name])]));
}

/**
 * Parses the settings of the environment: `PLIMSOLL_FAIL_ON` is `failOn`. Unknown variables with the prefix are ignored here.
 * @throws UsageError naming the variable
 */
export function settingsOfEnvironment(env: Readonly<Record<string, string | undefined>>): GivenSettings {
  const variables = [...Object.entries(otherNames), ...names.map((name) => [environmentName(name), name] as const)];
  const given = variables.flatMap(([variable, name]) => {
    const { kind } = settingNamed(name);
    const value = env[variable];
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
    const kind = kindOf(name);
    const parsed: unknown = typeof value === "string" ? kind?.fromText(value) : kind?.fromJson(value);
    if (parsed === undefined)
      throw wrongValue({ place: flagName(name), expected: kind?.expected ?? "a known flag", found: value, kind });
    return [name, parsed] as const;
  });
  return Object.fromEntries(given);
}

/** The kind of a setting; undefined if there is no such setting. */
function kindOf(name: string): SettingKind<unknown> | undefined {
  const known = names.find((each) => each === name);
  return known && settingNamed(known).kind;
}

/** The flag of a setting. */
export function flagName(setting: string): string {
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
  const kind = kindOf(otherNames[name] ?? name);
  if (kind === undefined) {
    const nearest = nearestWord(name, names);
    throw new UsageError(`${file}: there is no setting "${name}"; did you mean "${nearest}"?`);
  }
  const parsed: unknown = kind.fromJson(value);
  if (parsed === undefined)
    throw new UsageError(`${file}: ${name}: ${kind.problemOf?.(value) ?? `expected ${kind.expected}`}`);
  return parsed;
}
