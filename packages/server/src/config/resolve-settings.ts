import { readFileSync } from "node:fs";
import { UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { defaultDatabase } from "./default-database.ts";
import { type GivenSettings, settingsOfEnvironment, settingsOfFile } from "./settings.ts";

/** The settings in force. */
export interface Settings extends GivenSettings {
  readonly db: string;
  readonly offline: boolean;
  readonly strict: boolean;
  readonly allowIncomplete: boolean;
  readonly output: readonly string[];
  readonly color: NonNullable<GivenSettings["color"]>;
  readonly maxDbAgeDays: number;
  readonly feeds: NonNullable<GivenSettings["feeds"]>;
  readonly mirrors: NonNullable<GivenSettings["mirrors"]>;
  readonly insecureRegistries: readonly string[];
}

/**
 * Flags win over the environment, that over the configuration file, that over the defaults.
 * @throws UsageError when a setting is unknown or malformed
 */
export function resolveSettings(flags: GivenSettings & { readonly config?: string }, io: CliIo): Settings {
  const { config = io.env.PLIMSOLL_CONFIG, ...given } = flags;
  return {
    db: defaultDatabase(io.env),
    offline: false,
    strict: false,
    allowIncomplete: false,
    output: [],
    color: "auto",
    maxDbAgeDays: 7,
    feeds: {},
    mirrors: {},
    insecureRegistries: [],
    ...(config === undefined || config === "" ? {} : settingsOfFile(config, readConfiguration(config))),
    ...settingsOfEnvironment(io.env),
    ...given,
  };
}

/** The text of a configuration file. @throws UsageError */
export function readConfiguration(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--config ${file}: cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
