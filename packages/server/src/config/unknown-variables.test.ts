import { describe, expect, it } from "vitest";
import { unknownVariables } from "./unknown-variables.ts";

describe("unknownVariables", () => {
  it.each([
    ["PLIMSOLL_SUPERUSER", "PLIMSOLL_SUPERUSERS"],
    ["PLIMSOLL_PRT", "PLIMSOLL_PORT"],
    ["PLIMSOLL_HEALT_PORT", "PLIMSOLL_HEALTH_PORT"],
  ])("finds %s, which is similar to %s", (variable, nearest) => {
    expect(unknownVariables({ [variable]: "sesame" })).toEqual([{ variable, nearest }]);
  });

  it.each([
    ["PLIMSOLL_SUPERUSERS", "admin"],
    ["PLIMSOLL_CONFIG", "plimsoll.yaml"],
    ["PLIMSOLL_TEST_POSTGRES", "postgres://127.0.0.1/test"],
    ["PLIMSOLL_SERVICE_HOST", "10.0.0.1"],
    ["PLIMSOLL_SERVICE_PORT_HTTP", "5730"],
    ["PLIMSOLL_PORT_5730_TCP", "tcp://10.0.0.1:5730"],
    ["PLIMSOLL_PORT_5730_TCP_ADDR", "10.0.0.1"],
    ["PLIMSOLL_SCANNER_PORT", "tcp://10.0.0.1:6060"],
    ["PLIMSOLL_WEB_PORT", "tcp://10.0.0.1:80"],
    ["PLIMSOLL_PRT", ""],
    ["PORT", "5000"],
  ])("does not find %s=%s", (variable, value) => {
    expect(unknownVariables({ [variable]: value })).toEqual([]);
  });

  it("is bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`PLIMSOLL_X${index}`, "1"]));

    expect(unknownVariables(many)).toHaveLength(20);
  });
});
