import { describe, expect, it } from "vitest";
import { digestAlgorithm, digestHex, isDigest, parseDigest } from "./digest.ts";

const sha256 = `sha256:${"0123456789abcdef".repeat(4)}`;
const sha512 = `sha512:${"0123456789abcdef".repeat(8)}`;

describe("parseDigest", () => {
  it.each([
    [sha256, "sha256", "0123456789abcdef".repeat(4)],
    [sha512, "sha512", "0123456789abcdef".repeat(8)],
  ])("accepts %s", (text, algorithm, hex) => {
    const digest = parseDigest(text);

    expect([digest, digestAlgorithm(digest), digestHex(digest)]).toEqual([text, algorithm, hex]);
    expect(isDigest(text)).toBe(true);
  });

  it.each([
    "",
    ":",
    "sha256",
    "sha256:",
    sha256.slice(0, -1),
    `${sha256}0`,
    `${sha256}\n`,
    ` ${sha256}`,
    sha256.toUpperCase(),
    sha256.replace("a", "A"),
    sha256.replace("a", "g"),
    sha256.replace("sha256", "sha384"),
    sha256.replace("sha256", "sha512"),
    sha512.replace("sha512", "sha256"),
    `sha256:${sha256}`,
    `sha256:${"../".repeat(21)}x`,
    "0123456789abcdef".repeat(4),
    `constructor:${"a".repeat(64)}`,
  ])("refuses %j", (text) => {
    expect(() => parseDigest(text)).toThrow(expect.objectContaining({ code: "malformed_digest" }));
    expect(isDigest(text)).toBe(false);
  });

  it("says that BLAKE3 is not implemented", () => {
    const parse = () => parseDigest(`blake3:${"a".repeat(64)}`);

    expect(parse).toThrow("BLAKE3 digests are not implemented");
    expect(parse).toThrow(expect.objectContaining({ code: "unsupported_digest" }));
  });

  it("shows only the beginning of a long text", () => {
    expect(() => parseDigest("x".repeat(10_000))).toThrow(/^.{1,300}$/);
  });
});
