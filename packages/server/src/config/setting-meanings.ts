import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { type Meaning, none } from "./meanings/meaning.ts";
import { commandMeanings } from "./meanings/of-command.ts";
import { notificationMeanings } from "./meanings/of-notifications.ts";
import { registryMeanings } from "./meanings/of-registry.ts";
import { serviceMeanings } from "./meanings/of-service.ts";
import { defaultServiceSettings } from "./service-settings.ts";
import { settingExamples } from "./setting-examples.ts";
import type { SettingName } from "./settings.ts";

/** The description, the default and an example of a setting. */
export interface SettingMeaning {
  readonly meaning: string;
  /** In words, or the value itself as JSON. */
  readonly default: string;
  /** A value as in a configuration file. */
  readonly example: unknown;
}

const meanings: Readonly<Record<SettingName, Meaning>> = {
  ...commandMeanings,
  ...serviceMeanings,
  ...notificationMeanings,
  ...registryMeanings,
};

/** The defaults in the code. */
const knownDefaults: Readonly<Record<string, unknown>> = { ...defaultRegistrySettings, ...defaultServiceSettings };

/** The description of a setting. Its example is the default unless {@link settingExamples} has one. */
export function meaningOf(name: SettingName): SettingMeaning {
  const [meaning, otherwise] = meanings[name];
  const value = knownDefaults[name];
  return { meaning, default: otherwise ?? shown(value), example: settingExamples[name] ?? value };
}

/** A default as JSON; for booleans by name, the names that are on and those that are off. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return none;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value) ?? "";
  const [on, off] = [true, false].map((is) =>
    Object.entries(value).flatMap(([name, each]) => (each === is ? [name] : [])),
  );
  return `on: ${on?.join(", ")}; off: ${off?.join(", ")}`;
}
