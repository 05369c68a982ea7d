import { describe, expect, it } from "vitest";
import { negotiate, parseContentType } from "./media-type.ts";

const offered = ["application/vnd.scanner.error.v1+json", "application/json"];
const [vendor, json] = offered;

describe("negotiate", () => {
  it.each([
    [undefined, vendor],
    ["", vendor],
    ["*/*", vendor],
    ["application/*", vendor],
    ["application/json", json],
    ["APPLICATION/JSON", json],
    ["application/json;q=0.5, application/vnd.scanner.error.v1+json", vendor],
    ["application/json, application/vnd.scanner.error.v1+json;q=0.9", json],
    ["text/html, image/gif, */*; q=.2", vendor],
    ["application/vnd.scanner.error.v1+json;q=0, */*", json],
    ['text/plain; note="a, b", application/json', json],
    ["application/json; charset=utf-8", json],
    ["text/html", undefined],
    ["application/json;q=0", undefined],
    ["text/*", undefined],
    ["application/*;q=0, */*", undefined],
    ["*/*, application/*;q=0, application/json", json],
    ["*/*, application/vnd.scanner.error.v1+json;q=0.1", json],
    ["application/json;q=0.1, */*;q=0.2", vendor],
    ["application/json; version=2", undefined],
    ["text/html, image/gif, *; q=.2, */*; q=.2", vendor],
    [", application/json,,", json],
    ["application/json;", json],
    ["application/json;Q=0.5, application/vnd.scanner.error.v1+json;q=0", json],
  ])("for %j it is %s", (accept, expected) => {
    expect(negotiate(accept, offered)).toBe(expected);
  });

  it.each([
    "foo",
    "a/b/c",
    "application/json;q=2",
    "application/json;q=x",
    "application/json;q=",
    "/json",
    "text/",
    'a/b;c="',
    "application/json x",
  ])("refuses %j as malformed", (accept) => {
    expect(() => negotiate(accept, offered)).toThrow(expect.objectContaining({ code: "malformed_request" }));
  });
});

describe("negotiate with a header of any length", () => {
  it.each([
    "a/b,".repeat(100_000),
    `a/b;c="${'\\\\"'.repeat(100_000)}`,
    `a/b${";".repeat(100_000)}`,
    " ".repeat(100_000).concat("x"),
  ])("refuses it in no time: %#", (accept) => {
    expect(() => negotiate(accept, offered)).toThrow(expect.objectContaining({ code: "malformed_request" }));
  });
});

describe("parseContentType", () => {
  it.each([
    [undefined, undefined],
    ["application/json", "application/json"],
    ["Application/JSON; charset=UTF-8", "application/json"],
    ['application/json;charset="utf8"', "application/json"],
  ])("of %j is %s", (header, expected) => {
    expect(parseContentType(header)).toBe(expected);
  });

  it.each([
    ["application/json; charset=latin1", "unsupported_media_type"],
    ["json", "malformed_request"],
  ])("refuses %j", (header, code) => {
    expect(() => parseContentType(header)).toThrow(expect.objectContaining({ code }));
  });
});
