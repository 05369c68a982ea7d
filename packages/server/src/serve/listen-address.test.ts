import { describe, expect, it } from "vitest";
import { listenAddress } from "./listen-address.ts";

describe("listenAddress", () => {
  const lookUp = async () => ({ address: "::1" });

  it.each([
    ["localhost", "::1"],
    ["LocalHost", "::1"],
    ["127.0.0.1", "127.0.0.1"],
    ["::", "::"],
    ["registry.example", "registry.example"],
  ])("listens for %s at %s", async (host, expected) => {
    expect(await listenAddress(host, lookUp)).toBe(expected);
  });
});
