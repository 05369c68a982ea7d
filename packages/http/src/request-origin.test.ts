import { describe, expect, it } from "vitest";
import { requestOrigin } from "./request-origin.ts";

describe("requestOrigin", () => {
  it.each([
    ["r.example.com", "r.example.com"],
    ["localhost:5000", "localhost:5000"],
    ["[::1]:5000", "[::1]:5000"],
    ["a_b.example", "a_b.example"],
    ["", undefined],
    ["a b", undefined],
    ['a"><b', undefined],
    ["user@host", undefined],
    ["host/path", undefined],
  ])("of the host %j is %j", (host, expected) => {
    expect(requestOrigin({ protocol: "https", host, ip: "::1" })).toEqual({
      scheme: "https",
      host: expected,
      ip: "::1",
    });
  });
});
