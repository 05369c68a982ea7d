import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { checkMatch, checkOnlyNew, isConditional, judgeConditions, noneMatchNames, rangeCounts } from "./entity-tag.ts";

describe("noneMatchNames", () => {
  it.each([
    [undefined, false],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['"x","abc" , "y"', true],
    ["*", true],
    [" * ", true],
    ['"ab"', false],
    ["abc", false],
    ["", false],
    ['"a, "abc', false],
    ['"W/abc"', false],
  ])("of %j is %s", (header, expected) => {
    expect(noneMatchNames(header, "abc")).toBe(expected);
  });
});

describe("judgeConditions", () => {
  const read = { tag: "abc", isRead: true };
  const change = { tag: "abc", isRead: false };
  const nothing = { tag: undefined, isRead: false };
  const untagged = { tag: undefined, exists: true, isRead: false };

  it.each([
    { headers: {}, target: read, outcome: "met" },
    { headers: { "if-none-match": '"abc"' }, target: read, outcome: "unchanged" },
    { headers: { "if-none-match": 'W/"abc"' }, target: read, outcome: "unchanged" },
    { headers: { "if-none-match": '"x", W/"abc"' }, target: read, outcome: "unchanged" },
    { headers: { "if-none-match": "*" }, target: read, outcome: "unchanged" },
    { headers: { "if-none-match": '"x"' }, target: read, outcome: "met" },
    { headers: { "if-none-match": '"abc"' }, target: change, outcome: "failed" },
    { headers: { "if-none-match": "*" }, target: change, outcome: "failed" },
    { headers: { "if-none-match": "*" }, target: nothing, outcome: "met" },
    { headers: { "if-match": '"abc"' }, target: read, outcome: "met" },
    { headers: { "if-match": '"x", "abc"' }, target: change, outcome: "met" },
    { headers: { "if-match": "*" }, target: change, outcome: "met" },
    { headers: { "if-match": "*" }, target: nothing, outcome: "failed" },
    { headers: { "if-match": 'W/"abc"' }, target: change, outcome: "failed" },
    { headers: { "if-match": '"x"' }, target: read, outcome: "failed" },
    { headers: { "if-match": "abc" }, target: read, outcome: "failed" },
    { headers: { "if-match": '"abc"' }, target: nothing, outcome: "failed" },
    { headers: { "if-match": '"x"', "if-none-match": '"abc"' }, target: read, outcome: "failed" },
    { headers: { "if-match": '"abc"', "if-none-match": '"abc"' }, target: read, outcome: "unchanged" },
    { headers: { "if-match": "*" }, target: untagged, outcome: "met" },
    { headers: { "if-match": '"abc"' }, target: untagged, outcome: "failed" },
    { headers: { "if-match": '"undefined"' }, target: untagged, outcome: "failed" },
    { headers: { "if-none-match": "*" }, target: untagged, outcome: "failed" },
    { headers: { "if-none-match": '"abc"' }, target: untagged, outcome: "met" },
    { headers: { "if-none-match": '"abc"' }, target: nothing, outcome: "met" },
    { headers: { "if-modified-since": "Sat, 29 Oct 1994 19:43:31 GMT" }, target: read, outcome: "met" },
  ] as const)("of $headers for $target is $outcome", ({ headers, target, outcome }) => {
    expect(judgeConditions(headers, target)).toBe(outcome);
  });
});

describe("rangeCounts", () => {
  it.each([
    [undefined, true],
    ['"abc"', true],
    [' "abc" ', true],
    ['W/"abc"', false],
    ['"x"', false],
    ["Sat, 29 Oct 1994 19:43:31 GMT", false],
  ])("with If-Range %j is %s", (header, expected) => {
    expect(rangeCounts(header, "abc")).toBe(expected);
  });
});

describe("isConditional", () => {
  it.each<[IncomingHttpHeaders, boolean]>([
    [{}, false],
    [{ "if-match": "*" }, true],
    [{ "if-none-match": "" }, true],
    [{ "if-modified-since": "Sat, 29 Oct 1994 19:43:31 GMT" }, false],
  ])("of %o is %s", (headers, expected) => {
    expect(isConditional(headers)).toBe(expected);
  });
});

describe("checkMatch", () => {
  it.each([
    [undefined, "abc"],
    ["*", undefined],
    ['"x", "abc"', "abc"],
  ])("lets If-Match: %s pass for the tag %s", (match, tag) => {
    checkMatch({ "if-match": match }, tag);
  });

  const long = `"${"x".repeat(200)}"`;
  const again = "read it again, and repeat the request with its current ETag";
  it.each([
    ['"x"', "abc", `If-Match: expected "abc", found "x": ${again}`],
    ['W/"abc"', "abc", `If-Match: expected "abc", found W/"abc": ${again}`],
    [long, "abc", `If-Match: expected "abc", found ${long.slice(0, 100)}: ${again}`],
    ['"x"', undefined, 'If-Match: there is no version to compare with "x". Repeat the request without the condition'],
  ])("refuses If-Match: %s for the tag %s", (match, tag, message) => {
    const check = () => checkMatch({ "if-match": match }, tag);

    expect(check).toThrow(expect.objectContaining({ code: "precondition_failed", message }));
  });
});

describe("checkOnlyNew", () => {
  it.each([undefined, '"x"', "x", ""])("lets If-None-Match: %j pass", (noneMatch) => {
    checkOnlyNew({ "if-none-match": noneMatch });
  });

  it.each(["*", " * "])("refuses If-None-Match: %j", (noneMatch) => {
    const message = "If-None-Match: what is there has no version to compare. Repeat the request without the condition";

    expect(() => checkOnlyNew({ "if-none-match": noneMatch })).toThrow(
      expect.objectContaining({ code: "precondition_failed", message }),
    );
  });
});
