import { describe, expect, it } from "vitest";
import { withoutUndefined } from "./without-undefined.ts";

describe("withoutUndefined", () => {
  it.each([
    [{ accept: "text/html", range: undefined }, { accept: "text/html" }],
    [
      { none: null, zero: 0, empty: "", no: false },
      { none: null, zero: 0, empty: "", no: false },
    ],
    [{}, {}],
  ])("of %j is %j", (members, expected) => {
    expect(withoutUndefined(members)).toStrictEqual(expected);
  });

  it("leaves what it is spread over", () => {
    const given: { readonly retries?: number } = { retries: undefined };

    expect({ ...{ retries: 3 }, ...withoutUndefined(given) }).toEqual({ retries: 3 });
  });
});
