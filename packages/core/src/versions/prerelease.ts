import { type Order, orderOf } from "./define-order.ts";
import { compareDigits, isDigits } from "./digits.ts";

/**
 * Orders the prerelease identifiers of two versions whose numbers are equal. No identifier at all is the release itself:
 * the highest. Numbers are below words, and of two lists that begin alike the shorter one is lower.
 * @see https://semver.org/#spec-item-11
 */
export function comparePrereleases(a: readonly string[], b: readonly string[]): Order {
  if (a.length === 0 || b.length === 0) return orderOf(a.length === 0 ? 1 : 0, b.length === 0 ? 1 : 0);
  for (const [i, left] of a.entries()) {
    const right = b[i];
    if (right === undefined) return 1;
    const order = compareIdentifiers(left, right);
    if (order !== 0) return order;
  }
  return orderOf(a.length, b.length);
}

function compareIdentifiers(a: string, b: string): Order {
  const numericA = isDigits(a);
  const numericB = isDigits(b);
  if (numericA && numericB) return compareDigits(a, b);
  if (numericA !== numericB) return numericA ? -1 : 1;
  return orderOf(a, b);
}
