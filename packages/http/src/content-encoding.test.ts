import { describe, expect, it } from "vitest";
import { negotiateEncoding } from "./content-encoding.ts";

describe("negotiateEncoding", () => {
  it.each([
    [undefined, "identity", "identity"],
    ["", "identity", "identity"],
    ["gzip", "gzip", "identity"],
    ["x-gzip", "gzip", "identity"],
    ["gzip, deflate, br, zstd", "zstd", "identity"],
    ["zstd;q=0.5, gzip", "gzip", "identity"],
    ["gzip;q=0.5, identity", "identity", "identity"],
    ["*", "zstd", "identity"],
    ["br", "identity", "identity"],
    ["gzip, identity;q=0", "gzip", "gzip"],
    ["deflate, *;q=0", "deflate", "deflate"],
  ])("for %j it is %s, and %s for what is small", (header, best, small) => {
    expect(negotiateEncoding(header)).toEqual({ best, small });
  });

  it.each(["identity;q=0", "*;q=0", "br, identity;q=0"])("is undefined for %j", (header) => {
    expect(negotiateEncoding(header)).toBeUndefined();
  });
});
