import type { SettingKind } from "./setting-kind.ts";

/** The resolved settings that have a setting under its own name: those of a command, of the service, or of the registry. */
export type Target = "command" | "service" | "registry";

/**
 * Everything about a setting. Its variable, its place in files, its section of docs/reference/configuration.md and its types are derived
 * from it, and its value in the resolved settings that it names.
 */
export interface Setting<Value = unknown, Default extends Value | undefined = Value | undefined, Into = Target> {
  /** How its value is read and checked. */
  readonly kind: SettingKind<Value>;
  /** What it is for: one or more sentences. */
  readonly meaning: string;
  /** The value where none is given. */
  readonly default?: Default;
  /** The default in words, if it is not a value, or if the value says too little. Numbers in it come from what takes effect. */
  readonly otherwise?: string;
  /** A value as in a configuration file. Absent: the default. */
  readonly example?: unknown;
  /** Its flag of `plimsoll serve`: the word for the value, and the meaning in one line without the default. Absent: it has no flag. */
  readonly flag?: readonly [value: string, meaning: string];
  /** Where its value takes effect under its own name. Absent: a function resolves it, with other settings. */
  readonly into?: readonly Into[];
}

/**
 * Declares a setting.
 * @example
 * const apiPort = setting({ kind: port, meaning: "The port of the API.", default: 6060, into: ["service"] });
 */
export function setting<Value, const Default extends Value | undefined = undefined, const Into extends Target = never>(
  declared: Setting<Value, Default, Into>,
): DeclaredSetting<Value, Default, Into> {
  return declared as DeclaredSetting<Value, Default, Into>;
}

/** A setting whose default is known: undefined if it has none. */
export interface DeclaredSetting<Value, Default extends Value | undefined, Into> extends Setting<Value, Default, Into> {
  readonly default: Default;
}

/**
 * The value of a setting.
 * @internal
 */
export type ValueOf<Declared> = Declared extends { readonly kind: SettingKind<infer Value> } ? Value : never;

/** The names of a table's settings that take effect in resolved settings under their own name. */
export type NamesInto<Table, Into extends Target> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly into?: readonly (infer Found)[] }
    ? Into extends Found
      ? Name
      : never
    : never;
}[keyof Table];

/** The names of a table's settings that have a default value. */
type NamesWithDefault<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default?: infer Default }
    ? [Exclude<Default, undefined>] extends [never]
      ? never
      : Name
    : never;
}[keyof Table];

/** The defaults of the settings that take effect under their own name. */
export type DefaultsInto<Table, Into extends Target> = {
  readonly [Name in Extract<NamesInto<Table, Into>, NamesWithDefault<Table>>]: ValueOf<Table[Name]>;
};

/**
 * The resolved values of the settings that take effect under their own name.
 * @internal
 */
export type ResolvedInto<Table, Into extends Target> = DefaultsInto<Table, Into> & {
  readonly [Name in Exclude<NamesInto<Table, Into>, NamesWithDefault<Table>>]?: ValueOf<Table[Name]>;
};
