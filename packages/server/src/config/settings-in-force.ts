import type { SettingInForce } from "@plimsoll/registry-api";
import { settingGroups } from "./setting-groups.ts";
import type { SettingKind } from "./setting-kind.ts";
import { meaningOf } from "./setting-meanings.ts";
import { type GivenSettings, type SettingName, settingKinds } from "./settings.ts";

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
  const { isSecret = false }: SettingKind<unknown> = settingKinds[name];
  const about = { name, group, meaning, default: otherwise, isSecret };
  const inForce = (source: SettingInForce["source"], given: unknown): SettingInForce => ({
    ...about,
    source,
    ...(!isSecret && { value: JSON.stringify(withoutCredentials(given)) }),
  });
  if (flags[name] !== undefined) return inForce("flag", flags[name]);
  if (environment[name] !== undefined) return inForce("environment", environment[name]);
  if (files[name] === undefined) return { ...about, source: "default" };
  const file = fileOf[name];
  return { ...inForce("file", files[name]), ...(file !== undefined && { file }) };
}

/** Removes credentials from all addresses in a value. */
function withoutCredentials(value: unknown): unknown {
  if (typeof value === "string") return bareAddress(value);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutCredentials(each)]));
}

/** Removes the query and the user information (`USER:PASSWORD@`) from addresses. Other texts are unchanged. */
function bareAddress(text: string): string {
  return text
    .split(/(?<=[\s,])/)
    .map((each) => {
      const [scheme, rest] = splitOnce(each, "://");
      if (rest === undefined) return each;
      const [address] = rest.split(/[?#]/, 1);
      const [authority = "", ...path] = (address ?? "").split("/");
      const host = authority.slice(authority.lastIndexOf("@") + 1);
      return `${scheme}://${[host, ...path].join("/")}`;
    })
    .join("");
}

function splitOnce(text: string, by: string): readonly [before: string, after?: string] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)];
}
