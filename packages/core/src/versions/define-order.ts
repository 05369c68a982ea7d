import { ScanError } from "../errors.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";

/** Less, equal or greater. */
export type Order = -1 | 0 | 1;

/** An order of versions in text form. */
export interface TextOrder {
  /** Compares two versions. @throws ScanError `malformed_version` */
  readonly compare: (a: string, b: string) => Order;
  /** Whether `compare` accepts the text. */
  readonly valid: (text: string) => boolean;
}

/** The order of a scheme, over versions in text form. */
export function defineOrder<V>(scheme: VersionScheme<V>): TextOrder {
  return {
    compare: (a, b) => compareText(scheme, a, b),
    valid: (text) => findVersion(scheme, text) !== undefined,
  };
}

/**
 * Compares two versions in text form.
 * @throws ScanError `malformed_version`
 */
export function compareText<V>(scheme: VersionScheme<V>, a: string, b: string): Order {
  return scheme.compare(scheme.parse(a), scheme.parse(b));
}

/** The order of an installed version and one that a statement names. */
export function compareStated<V>(scheme: VersionScheme<V>, installed: V, stated: V): Order {
  return scheme.compareStated === undefined
    ? scheme.compare(installed, stated)
    : scheme.compareStated(installed, stated);
}

/** Whether the order of two versions is the stated one. A strict order may be doubled: `<<`. */
export function isOrdered(order: number, stated: string): boolean {
  return stated.includes(order === 0 ? "=" : order < 0 ? "<" : ">");
}

/** The parsed version; undefined if the text is not a version. */
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

/** Orders an optional part of two versions, such as the release: a version without it comes first, and two without it are equal. */
export function compareOptional<T>(a: T | undefined, b: T | undefined, compare: (a: T, b: T) => Order): Order {
  if (a === undefined || b === undefined) return orderOf(a === undefined ? 0 : 1, b === undefined ? 0 : 1);
  return compare(a, b);
}
