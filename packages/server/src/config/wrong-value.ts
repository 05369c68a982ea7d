import { UsageError } from "../cli/exit-code.ts";
import type { SettingKind } from "./setting-kind.ts";

/** A setting, a flag or a variable with a wrong value. */
export interface WrongValue {
  /** Where the value was given: `--port`, `PLIMSOLL_PORT`, `storage`. */
  readonly place: string;
  readonly expected: string;
  readonly found: unknown;
  /** The kind of the setting; a message about a secret does not show what was found. */
  readonly kind?: SettingKind<unknown> | undefined;
}

/**
 * The error for a wrong value. Only this function quotes the values of settings and flags (`npm run layers` fails for other code that does), because a
 * wrong value may contain a password, for example in an address without its scheme.
 */
export function wrongValue({ place, expected, found, kind }: WrongValue): UsageError {
  const problem = kind?.problemOf?.(found);
  if (problem !== undefined) return new UsageError(`${place}: ${problem}`);
  return new UsageError(`${place}: expected ${expected}${kind?.isSecret ? "" : `, found ${shown(found)}`}`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${harmlessPart(value)}"` : harmlessPart(JSON.stringify(value) ?? String(value));
}

const maxLength = 200;

/**
 * What may be shown of a value whose form is unknown: nothing before its last `@`, nothing after `?` or `#`, and nothing after the
 * word `password` and the like.
 */
export function harmlessPart(text: string): string {
  const user = text.lastIndexOf("@");
  const rest = user < 0 ? text : `…${text.slice(user)}`;
  const end = rest.search(/[?#]|(?<=passw(?:or)?d|pwd|passphrase|secret|token)["'\s]{0,3}[=:]/i);
  const bare = end < 0 ? rest : `${rest.slice(0, end)}…`;
  return bare.length > maxLength ? `${bare.slice(0, maxLength)}…` : bare;
}
