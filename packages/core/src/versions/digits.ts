import { type Order, orderOf } from "./define-order.ts";

/** Whether a code unit is an ASCII digit; false for `NaN`, which `charCodeAt` returns past the end. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a code unit is an ASCII letter; false for `NaN`. */
export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The end of the run of digits that begins at `from`; `from` itself if no digit is there. */
export function digitsEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** The end of the run of letters that begins at `from`; `from` itself if no letter is there. */
export function lettersEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isLetter(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a text is one or more digits and nothing else. */
export function isDigits(text: string): boolean {
  return text !== "" && digitsEnd(text, 0) === text.length;
}

/** Orders two texts of digits as integers of any size. The empty text is 0. */
export function compareDigits(a: string, b: string): Order {
  if (a === b) return 0;
  const plainA = stripZeros(a);
  const plainB = stripZeros(b);
  if (plainA.length !== plainB.length) return plainA.length < plainB.length ? -1 : 1;
  return orderOf(plainA, plainB);
}

/** Orders two lists of numbers of any size; a missing number is 0. */
export function compareNumbers(a: readonly string[], b: readonly string[]): Order {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareDigits(a[i] ?? "", b[i] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

/** Digits without leading zeros; 0 becomes the empty text. */
export function stripZeros(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === 0x30) start++;
  return start === 0 ? digits : digits.slice(start);
}
