import { describe, expect, it } from "vitest";
import { parseExternalReference } from "./external-reference.ts";

describe("parseExternalReference", () => {
  it.each([
    [
      "registry.example/library/busybox",
      { host: "registry.example", hostname: "registry.example", path: "library/busybox" },
    ],
    ["registry.example:5000/app", { host: "registry.example:5000", hostname: "registry.example", path: "app" }],
    ["registry.example", { host: "registry.example", hostname: "registry.example", path: "" }],
    ["[2001:db8::1]:5000/app", { host: "[2001:db8::1]:5000", hostname: "[2001:db8::1]", path: "app" }],
  ])("reads %s", (text, reference) => {
    expect(parseExternalReference("external_reference", text)).toEqual(reference);
  });

  it.each([
    "https://registry.example/app",
    "user@registry.example/app",
    "registry.example/app?x",
    "registry.example/app#x",
    "registry.example\\@internal/app",
    "registry.example/%2e%2e/app",
    "registry.example/../app",
    "registry.example//app",
    "registry.example:0/app",
    "registry.example:99999/app",
    "registry example/app",
    "-registry.example/app",
    "/app",
    "",
  ])("refuses %j", (text) => {
    expect(() => parseExternalReference("external_reference", text)).toThrow(/^external_reference: /);
  });
});
