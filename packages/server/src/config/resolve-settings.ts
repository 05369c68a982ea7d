import { withoutUndefined } from "@plimsoll/core/internal";
import type { CliIo } from "../cli/io.ts";
import { type allSettings, defaultsInto } from "./all-settings.ts";
import type { DefaultsInto } from "./setting.ts";
import { type GivenSettings, settingsOfEnvironment } from "./settings.ts";
import { defaultDatabase } from "./user-folders.ts";

/** The resolved settings of a command. */
export type Settings = GivenSettings & DefaultsInto<typeof allSettings, "command"> & { readonly db: string };

/**
 * Resolves the settings of a command. Flags override the environment, which overrides the configuration files, which override the
 * defaults.
 * @throws UsageError if a setting is unknown or malformed
 */
export function resolveSettings(given: GivenSettings, fromFiles: GivenSettings, { env }: Pick<CliIo, "env">): Settings {
  return {
    db: defaultDatabase(env),
    ...defaultsInto("command"),
    ...withoutUndefined(fromFiles),
    ...withoutUndefined(settingsOfEnvironment(env)),
    ...withoutUndefined(given),
  };
}
