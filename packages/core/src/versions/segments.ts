import { type Order, orderOf } from "./define-order.ts";
import { compareDigits, isDigits } from "./digits.ts";

/** Orders two segments of a version: words (by code unit) are below numbers (of any size). */
export function compareSegments(a: string, b: string): Order {
  const numericA = isDigits(a);
  const numericB = isDigits(b);
  if (numericA && numericB) return compareDigits(a, b);
  if (numericA !== numericB) return numericA ? 1 : -1;
  return orderOf(a, b);
}
