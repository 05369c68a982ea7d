/** A setting of the process, as operators see it. */
export interface SettingInForce {
  readonly name: string;
  /** The title of the group of settings to which it belongs. */
  readonly group: string;
  /** What it does, in Markdown. */
  readonly meaning: string;
  /** The default value, in words. */
  readonly default: string;
  /** The given value, as JSON without credentials; absent for secrets, and if no value is given. */
  readonly value?: string;
  /** Whether the value is never shown. */
  readonly isSecret: boolean;
  /** Where the value comes from. */
  readonly source: "flag" | "environment" | "file" | "default";
  /** The path of the configuration file. */
  readonly file?: string;
}
