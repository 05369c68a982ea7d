import type { DefaultsInto, NamesInto, Setting, Target } from "./setting.ts";
import { commandSettings, hostSettings } from "./settings/command-settings.ts";
import { layerSettings } from "./settings/layer-settings.ts";
import { notificationSettings } from "./settings/notification-settings.ts";
import { registrySettings } from "./settings/registry-settings.ts";
import { reportingSettings, runningSettings } from "./settings/running-settings.ts";
import {
  dataSettings,
  feedSettings,
  listeningSettings,
  otherServiceSettings,
  scannerSettings,
} from "./settings/service-settings.ts";
import { signInSettings, storageSettings } from "./settings/storage-settings.ts";

/** Every setting by its name in a configuration file. */
export const allSettings = {
  ...commandSettings,
  ...hostSettings,
  ...dataSettings,
  ...listeningSettings,
  ...scannerSettings,
  ...feedSettings,
  ...layerSettings,
  ...otherServiceSettings,
  ...notificationSettings,
  ...runningSettings,
  ...reportingSettings,
  ...registrySettings,
  ...storageSettings,
  ...signInSettings,
} as const;

/** The name of a setting in a configuration file. */
export type SettingName = keyof typeof allSettings;

/** The declaration of a setting. */
export function settingNamed(name: SettingName): Setting {
  return allSettings[name] as Setting;
}

/** Settings under one heading of the configuration reference. */
export interface SettingGroup {
  readonly title: string;
  /** One or two sentences: what these settings are for. */
  readonly about: string;
  readonly names: readonly SettingName[];
}

/** All settings, each in one group. */
export const settingGroups: readonly SettingGroup[] = [
  ["The command", "What `plimsoll scan` and the other commands read and print.", commandSettings] as const,
  ["Other hosts", "Where advisories and images are fetched from, and through which proxy.", hostSettings] as const,
  ["Data", "Where a service stores its data.", dataSettings] as const,
  ["Listening", "The address that a service listens on, and the services of a process.", listeningSettings] as const,
  ["Scanner API", "The scanner API, and the authentication of its clients.", scannerSettings] as const,
  ["Feeds", "How a matcher keeps its advisories up to date.", feedSettings] as const,
  ["Layers", "Where layers may be fetched from, and limits for reading a layer.", layerSettings] as const,
  ["Other services", "The addresses of services that run in another process.", otherServiceSettings] as const,
  [
    "Notifications",
    "How receivers are notified of new vulnerabilities in indexed images: by a webhook, AMQP or STOMP; only one of them.",
    notificationSettings,
  ] as const,
  ["Running a service", "Proxies before a service, its shutdown, and TLS.", runningSettings] as const,
  ["Traces and logs", "What a service reports about its own work.", reportingSettings] as const,
  ["Registry", "The registry's name, its administrators and its features.", registrySettings] as const,
  ["Blob storage", "Where the registry stores blobs.", storageSettings] as const,
  [
    "Mail, directory and identity providers",
    "The mail server, the directory and the identity providers that the registry uses.",
    signInSettings,
  ] as const,
].map(([title, about, table]) => ({ title, about, names: Object.keys(table) as SettingName[] }));

/** The names of the settings that take effect under their own name in the resolved settings of a command, the service or the registry. */
export function namesInto<Into extends Target>(into: Into): readonly NamesInto<typeof allSettings, Into>[] {
  const names = Object.keys(allSettings) as SettingName[];
  return names.filter((name) => settingNamed(name).into?.includes(into)) as NamesInto<typeof allSettings, Into>[];
}

/** The default values of those settings. */
export function defaultsInto<Into extends Target>(into: Into): DefaultsInto<typeof allSettings, Into> {
  const names: readonly SettingName[] = namesInto(into);
  const defaults = names.map((name) => [name, settingNamed(name).default] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined)) as DefaultsInto<
    typeof allSettings,
    Into
  >;
}

/** The description of a setting, its default in words, and a value as in a configuration file. */
export function meaningOf(name: SettingName): {
  readonly meaning: string;
  readonly default: string;
  readonly example: unknown;
} {
  const { meaning, default: value, otherwise, example } = settingNamed(name);
  return { meaning, default: otherwise ?? shown(value), example: example ?? value };
}

/** A default as JSON; for lists, the items; for booleans by name, the names that are on and those that are off. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const [on, off] = [true, false].map((is) =>
    Object.entries(value).flatMap(([name, each]) => (each === is ? [name] : [])),
  );
  return `on: ${on?.join(", ")}; off: ${off?.join(", ")}`;
}
