import { describe, expect, it } from "vitest";
import { jsonSteps } from "./json-steps.ts";
import { allAtOnce } from "./slices.ts";

const limits = { mostValues: 10_000, mostDepth: 50, partLength: 8 };
const parse = (text: string) => allAtOnce(jsonSteps(text, limits));

function outcomeOf(parseText: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parseText(text) };
  } catch (error) {
    return (error as Error).name;
  }
}

const long = "x".repeat(20);
const list = `[1,2,3,4,5,"${long}"]`;

describe("jsonSteps", () => {
  it.each([
    ...["1", ' "a" ', "null", "[]", "{}", "[[],{}]", '{"a":1}', "", " ", "x", "[1", "[1]]", "1 2"],
    ...[
      list,
      ` ${list} `,
      `${list}1`,
      `${list},`,
      `[${list},${list}]`,
      `[${list} ${list}]`,
      `[1,${list},2]`,
      `[1 ${list}]`,
    ],
    ...[
      `[,${list}]`,
      `[${list},]`,
      `[1,2,3,4,5,6,]`,
      `[1,2,3,4,5,,6]`,
      `[1,2,3,4,5,6}`,
      `{"a":${list}]`,
      "[          ]",
      "{          }",
    ],
    ...[
      `{"a":${list},"b":{"c":${list}}}`,
      `{"a":1,"a":${list},"a":2}`,
      `{"a" : ${list} , "b" : 2 }`,
      `{${list}}`,
      `{"a",${list}}`,
    ],
    ...[`{"a":1 ${list}}`, `{1:${list}}`, `{"a":${list},}`, `{,"a":${list}}`, `{"a":"b":${list}}`, `{"a":${list}:1}`],
    ...[
      `{"__proto__":${list},"b":1}`,
      `{"b":"${long}","__proto__":{"c":1}}`,
      `{"${long}\\"]":[1,"\\\\"],"b":"\\\\\\""}`,
    ],
    ...[
      `["${long}`,
      `["${long}\\"]`,
      `[${"[".repeat(30)}${"]".repeat(30)}]`,
      `[${"1,".repeat(500)}1]`,
      `[1,2,3,4,5,6,7\u00a0]`,
    ],
  ])("agrees with JSON.parse about %s", (text) => {
    const expected = outcomeOf(JSON.parse, text);

    const found = outcomeOf(parse, text);

    expect(found).toEqual(expected);
    expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
  });

  it.each([
    ["more than 10000 values", `[${"0,".repeat(10_000)}0]`],
    ["nested more than 50 levels deep", `${"[".repeat(51)}${"]".repeat(51)}`],
  ])("refuses a document with %s", (message, text) => {
    expect(() => parse(text)).toThrow(message);
  });

  it("pauses after each part", () => {
    const text = JSON.stringify(Array.from({ length: 1000 }, (_, number) => ({ number, list: [number] })));
    const steps = jsonSteps(text, { ...limits, partLength: 100 });

    let pauses = 0;
    while (!steps.next().done) pauses++;

    expect(pauses).toBeGreaterThan(text.length / 200);
  });
});
