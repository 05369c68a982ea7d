import { defaultRegistrySettings } from "@plimsoll/registry-api/settings";
import { type Meaning, none } from "./meanings/meaning.ts";
import { commandMeanings } from "./meanings/of-command.ts";
import { notificationMeanings } from "./meanings/of-notifications.ts";
import { registryMeanings } from "./meanings/of-registry.ts";
import { serviceMeanings } from "./meanings/of-service.ts";
import { defaultServiceSettings } from "./service-settings.ts";
import { settingExamples } from "./setting-examples.ts";
import type { SettingName } from "./settings.ts";

/** What a setting means, and what holds where it is not set. */
export interface SettingMeaning {
  readonly meaning: string;
  /** In words, or the value itself as JSON. */
  readonly default: string;
  /** A value as a file would have it. */
  readonly example: unknown;
}

const meanings: Readonly<Record<SettingName, Meaning>> = {
  ...commandMeanings,
  ...serviceMeanings,
  ...notificationMeanings,
  ...registryMeanings,
};

/** The defaults as the code has them. */
const knownDefaults: Readonly<Record<string, unknown>> = { ...defaultRegistrySettings, ...defaultServiceSettings };

/** What a setting means. Its example is the default where nothing else is more telling. */
export function meaningOf(name: SettingName): SettingMeaning {
  const [meaning, otherwise] = meanings[name];
  const value = knownDefaults[name];
  return { meaning, default: otherwise ?? shown(value), example: settingExamples[name] ?? value };
}

/** A default as a file would have it; of names with true and false, which is which. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return none;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value) ?? "";
  const [on, off] = [true, false].map((is) =>
    Object.entries(value).flatMap(([name, each]) => (each === is ? [name] : [])),
  );
  return `on: ${on?.join(", ")}; off: ${off?.join(", ")}`;
}
