import { type Order, orderOf } from "./define-order.ts";
import { compareDigits } from "./digits.ts";

/** A piece of a version, in schemes whose versions compare piece by piece. */
export interface VersionToken {
  /** Says which kind of token is lower. Tokens of one rank are all numeric or all not. */
  readonly rank: number;
  /** Compared where ranks are equal: as integers if `numeric`, else by code unit. */
  readonly text: string;
  readonly numeric: boolean;
}

/**
 * Orders two lists of tokens by the first difference. Each list is closed by a token of a rank that occurs only there: so
 * the scheme says what the end of a version counts for, and neither list runs out before the other.
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
