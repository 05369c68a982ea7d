import { withoutUndefined } from "@plimsoll/core/internal";
import type { CliIo } from "../cli/io.ts";
import { type GivenSettings, settingsOfEnvironment } from "./settings.ts";
import { defaultDatabase } from "./user-folders.ts";

/** The resolved settings of a command. */
export interface Settings extends GivenSettings {
  readonly db: string;
  readonly offline: boolean;
  readonly strict: boolean;
  readonly allowIncomplete: boolean;
  readonly output: readonly string[];
  readonly vex: readonly string[];
  readonly attachedVex: boolean;
  readonly kernelFindings: boolean;
  readonly ignore: NonNullable<GivenSettings["ignore"]>;
  readonly color: NonNullable<GivenSettings["color"]>;
  readonly maxDbAgeDays: number;
  readonly feeds: NonNullable<GivenSettings["feeds"]>;
  readonly mirrors: NonNullable<GivenSettings["mirrors"]>;
  readonly insecureRegistries: readonly string[];
}

/**
 * Resolves the settings of a command. Flags override the environment, which overrides the configuration files, which override the
 * defaults.
 * @throws UsageError if a setting is unknown or malformed
 */
export function resolveSettings(given: GivenSettings, fromFiles: GivenSettings, { env }: Pick<CliIo, "env">): Settings {
  return {
    db: defaultDatabase(env),
    offline: false,
    strict: false,
    allowIncomplete: false,
    output: [],
    vex: [],
    attachedVex: false,
    kernelFindings: false,
    ignore: [],
    color: "auto",
    maxDbAgeDays: 7,
    feeds: {},
    mirrors: {},
    insecureRegistries: [],
    ...withoutUndefined(fromFiles),
    ...withoutUndefined(settingsOfEnvironment(env)),
    ...withoutUndefined(given),
  };
}
