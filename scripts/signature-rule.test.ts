import { describe, expect, it } from "vitest";
import { parseSources } from "./parsed-source.ts";
import { signatureRule } from "./signature-rule.ts";

const rows: readonly (readonly [text: string, broken: string | undefined])[] = [
  ["function f(a: A, b: B, c: C) {}", undefined],
  ["function f(a: A, b: B, c: C, d: D) {}", "f has 4 parameters"],
  ["function f(a: A, b: B, c: C, ...rest: D[]) {}", "f has 4 parameters"],
  ["function f(a: A, b: B, c: C, { d }: D = {}) {}", "f has 4 parameters"],
  ["function f(this: F, a: A, b: B, c: C) {}", undefined],
  ["const f = (a: A, b: B, c: C, d: D) => {};", "f has 4 parameters"],
  ["const table = { f: (a: A, b: B, c: C, d: D) => {} };", "f has 4 parameters"],
  ["class X { f(a: A, b: B, c: C, d: D) {} }", "f has 4 parameters"],
  ["class X { constructor(a: A, b: B, c: C, d: D) {} }", "constructor has 4 parameters"],
  ["interface X { f(a: A, b: B, c: C, d: D): void }", "f has 4 parameters"],
  ["type F = (a: A, b: B, c: C, d: D) => void;", "F has 4 parameters"],
  ["hook((a, b, c, d) => {});", undefined],
  ["new Hook(function (a, b, c, d) {});", undefined],
  ["hook(function f(a: A, isB: boolean) {});", undefined],
  ["function f(isA: boolean) {}", "f takes a boolean (isA)"],
  ["function f(isA?: boolean) {}", "f takes a boolean (isA)"],
  ["function f(isA: boolean | undefined) {}", "f takes a boolean (isA)"],
  ["function f(a: A, isB = false) {}", "f takes a boolean (isB)"],
  ["function f(a: A, b: true | B) {}", "f takes a boolean (b)"],
  ["const f = async (isA: boolean) => {};", "f takes a boolean (isA)"],
  ["class X { constructor(isA: boolean) {} }", "constructor takes a boolean (isA)"],
  ["class X { #f(isA: boolean) {} }", "#f takes a boolean (isA)"],
  ["interface X { f(isA: boolean): void }", "f takes a boolean (isA)"],
  ["type F = (isA: boolean) => void;", "F takes a boolean (isA)"],
  ["function f({ isA }: { readonly isA: boolean }) {}", undefined],
  ["function f({ isA = false }: Options) {}", undefined],
  ["function f(...are: boolean[]) {}", undefined],
  ["function f(a: unknown): a is boolean { return true; }", undefined],
];

describe("signatureRule", () => {
  it.each(rows)("%s", (text, broken) => {
    const found = parseSources([{ path: "packages/core/src/a.ts", text }]).flatMap(signatureRule);

    if (broken === undefined) expect(found).toEqual([]);
    else expect(found.join()).toContain(broken);
  });

  it("names the line", () => {
    const [file] = parseSources([{ path: "tests/a.test.ts", text: "\n\nfunction f(isA: boolean) {}\n" }]);

    expect(file && signatureRule(file)).toEqual([
      "line 3: f takes a boolean (isA): a member of an object with names, or two functions",
    ]);
  });
});
