import { describe, expect, it } from "vitest";
import { remember } from "./remember.ts";

describe("remember", () => {
  it.each([
    ["a", 1],
    [undefined, 1],
    ["", 1],
    ["x".repeat(256), 1],
    ["x".repeat(257), 2],
  ])("finds for %j, asked twice, so often: %d", (text, times) => {
    let found = 0;
    const find = remember((asked) => {
      found += 1;
      return asked === "" ? undefined : asked;
    });

    const answers = [find(text), find(text)];

    expect(answers).toEqual(text === "" ? [undefined, undefined] : [text, text]);
    expect(found).toBe(times);
  });

  it("does not remember an error", () => {
    let asked = 0;
    const find = remember(() => {
      asked += 1;
      if (asked === 1) throw new Error("no");
      return asked;
    });

    expect(() => find("a")).toThrow("no");
    expect(find("a")).toBe(2);
  });

  it("forgets everything when it has too many entries", () => {
    let found = 0;
    const find = remember(() => found++);

    for (let index = 0; index < 257; index++) find(`${index}`);
    find("256");
    expect(found).toBe(257);
    find("0");

    expect(found).toBe(258);
  });
});
