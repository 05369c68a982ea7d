import type { SettingInForce } from "@plimsoll/registry-api";
import { settingGroups } from "./setting-groups.ts";
import type { SettingKind } from "./setting-kind.ts";
import { meaningOf } from "./setting-meanings.ts";
import { type GivenSettings, type SettingName, settingKinds } from "./settings.ts";

/** Settings by where they were given. */
export interface SettingSources {
  readonly flags: GivenSettings;
  readonly environment: GivenSettings;
  readonly files: GivenSettings;
  /** Which file each setting of `files` is from. */
  readonly fileOf: Readonly<Partial<Record<SettingName, string>>>;
}

/**
 * Every setting with its value, its default, where it was given and what it means. Secrets are only said to be given, and addresses are
 * shown without user names, passwords and queries.
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

/** A value in which addresses have no credentials. */
function withoutCredentials(value: unknown): unknown {
  if (typeof value === "string") return bareAddress(value);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutCredentials(each)]));
}

/** An address up to its query, without what stands before an `@` in its authority. Other texts stay. */
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
