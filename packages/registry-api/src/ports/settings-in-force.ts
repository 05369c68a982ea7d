/** A setting of the process, as operators are shown it. */
export interface SettingInForce {
  readonly name: string;
  /** The title of the settings that it belongs to. */
  readonly group: string;
  /** What it does, in Markdown. */
  readonly meaning: string;
  /** What holds where it is not set, in words. */
  readonly default: string;
  /** What was given, as JSON without credentials; absent for secrets, and where the default holds. */
  readonly value?: string;
  /** What was given is never shown. */
  readonly isSecret: boolean;
  /** Where it was given. */
  readonly source: "flag" | "environment" | "file" | "default";
  /** The path of the configuration file. */
  readonly file?: string;
}
