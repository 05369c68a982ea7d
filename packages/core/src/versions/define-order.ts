import { ScanError } from "../errors.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";

/** Less, equal or greater. */
export type Order = -1 | 0 | 1;

/** An order of versions as they are written. */
export interface TextOrder {
  /** Compares two versions as they are written. @throws ScanError `malformed_version` */
  readonly compare: (a: string, b: string) => Order;
  /** Whether `compare` accepts the text. */
  readonly valid: (text: string) => boolean;
}

/** The order of a scheme over the versions as they are written. */
export function defineOrder<V>(scheme: VersionScheme<V>): TextOrder {
  return {
    compare: (a, b) => compareText(scheme, a, b),
    valid: (text) => findVersion(scheme, text) !== undefined,
  };
}

/**
 * Compares two versions as they are written.
 * @throws ScanError `malformed_version`
 */
export function compareText<V>(scheme: VersionScheme<V>, a: string, b: string): Order {
  return scheme.compare(scheme.parse(a), scheme.parse(b));
}

/** The parsed version, or undefined where the text is none. */
export function findVersion<V>(scheme: VersionScheme<V>, text: string): V | undefined {
  try {
    return scheme.parse(text);
  } catch (error) {
    if (error instanceof ScanError && error.code === "malformed_version") return undefined;
    throw error;
  }
}

/** The order of two numbers or of two strings (by code unit). */
export function orderOf<T extends number | string>(a: T, b: T): Order {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Orders what a version may leave out, such as a release: the version that has none comes first, and two without are equal. */
export function compareOptional<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => Order): Order {
  if (a === undefined || b === undefined) return orderOf(a === undefined ? 0 : 1, b === undefined ? 0 : 1);
  return compare(a, b);
}
