import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import type { SettingInForce } from "@plimsoll/registry";
import { meaningOf, type SettingName, settingGroups, settingNamed } from "./all-settings.ts";
import type { GivenSettings } from "./settings.ts";
import { harmlessPart } from "./wrong-value.ts";

/** The given settings by source. */
export interface SettingSources {
  readonly flags: GivenSettings;
  readonly environment: GivenSettings;
  readonly files: GivenSettings;
  /** The file of each setting of `files`. */
  readonly fileOf: Readonly<Partial<Record<SettingName, string>>>;
}

/**
 * Every setting with its value, default, source and description. Values of secrets are left out, and addresses are shown without user
 * names, passwords and queries.
 */
export function settingsInForce(sources: SettingSources): readonly SettingInForce[] {
  return settingGroups.flatMap(({ title, names }) => names.map((name) => settingInForce(name, title, sources)));
}

function settingInForce(
  name: SettingName,
  group: string,
  { flags, environment, files, fileOf }: SettingSources,
): SettingInForce {
  const { meaning, default: otherwise } = meaningOf(name);
  const { isSecret = false, isAddress = false } = settingNamed(name).kind;
  const bare = isAddress ? (text: string) => harmlessPart(withoutCredentials(text)) : withoutCredentials;
  const about = { name, group, meaning, default: otherwise, isSecret };
  const inForce = (source: SettingInForce["source"], given: unknown): SettingInForce => ({
    ...about,
    source,
    value: !isSecret ? JSON.stringify(mapTexts(given, bare)) : undefined,
  });
  if (flags[name] !== undefined) return inForce("flag", flags[name]);
  if (environment[name] !== undefined) return inForce("environment", environment[name]);
  if (files[name] === undefined) return { ...about, source: "default" };
  const file = fileOf[name];
  return { ...inForce("file", files[name]), ...(file !== undefined && { file }) };
}

/** Replaces every text in a value. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}
