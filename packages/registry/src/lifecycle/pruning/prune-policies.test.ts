import { describe, expect, it } from "vitest";
import { checkPolicy, completePolicy } from "./prune-policies.ts";

describe("checkPolicy", () => {
  it.each([
    { method: "number_of_tags", value: 10 },
    { method: "creation_date", value: "7d", tagPattern: "^v\\d+", tagPatternMatches: false },
  ])("takes %j", (request) => {
    expect(() => checkPolicy(request)).not.toThrow();
  });

  it.each([
    [{}, /^method: expected/],
    [{ method: "number_of_tags" }, /^value: expected/],
    [{ method: "number_of_tags", value: "10" }, /whole number/],
    [{ method: "number_of_tags", value: 0 }, /whole number/],
    [{ method: "creation_date", value: 7 }, /such as 7d/],
    [{ method: "oldest", value: 7 }, /number_of_tags or creation_date/],
    [{ method: "number_of_tags", value: 1, tagPattern: " " }, /found nothing/],
    [{ method: "number_of_tags", value: 1, tagPattern: "(" }, /not a regular expression/],
  ])("refuses %j", (request, message) => {
    expect(() => checkPolicy(request)).toThrow(message);
  });
});

describe("completePolicy", () => {
  const byNumber = { method: "number_of_tags", value: 7 };

  it.each([
    { request: {}, stored: {}, expected: { method: "number_of_tags", value: 100 } },
    { request: { method: "creation_date" }, stored: {}, expected: { method: "creation_date", value: "365d" } },
    { request: { value: 3 }, stored: {}, expected: { method: "number_of_tags", value: 3 } },
    { request: { value: "3d" }, stored: {}, expected: { method: "creation_date", value: "3d" } },
    { request: {}, stored: byNumber, expected: byNumber },
    { request: { method: "creation_date" }, stored: byNumber, expected: { method: "creation_date", value: "365d" } },
    { request: { value: "3d" }, stored: byNumber, expected: { method: "creation_date", value: "3d" } },
    { request: { value: 3 }, stored: byNumber, expected: { method: "number_of_tags", value: 3 } },
    { request: { method: "oldest" }, stored: {}, expected: { method: "oldest", value: undefined } },
  ])("makes $request with $stored stored $expected", ({ request, stored, expected }) => {
    expect(completePolicy(request, stored)).toEqual(expected);
  });
});
