import { type Order, orderOf } from "./define-order.ts";
import { compareDigits } from "./digits.ts";

/** A piece of a version, in schemes whose versions compare piece by piece. */
export interface VersionToken {
  /** Tokens of a lower rank come first. All tokens of one rank are numeric, or none is. */
  readonly rank: number;
  /** Compared where ranks are equal: as integers if `numeric`, else by code unit. */
  readonly text: string;
  readonly numeric: boolean;
}

/**
 * Orders two lists of tokens by the first difference. Each list ends with a token whose rank occurs only at the end. This
 * rank orders the end of a version against a further token, and no list is a prefix of another.
 */
export function compareTokens(a: readonly VersionToken[], b: readonly VersionToken[]): Order {
  for (let i = 0; ; i++) {
    const left = a[i];
    const right = b[i];
    if (left === undefined || right === undefined) return orderOf(a.length, b.length);
    if (left.rank !== right.rank) return orderOf(left.rank, right.rank);
    const order = left.numeric ? compareDigits(left.text, right.text) : orderOf(left.text, right.text);
    if (order !== 0) return order;
  }
}
