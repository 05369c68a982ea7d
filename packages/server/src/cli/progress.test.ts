import { parseDigest } from "@plimsoll/core/digest";
import { describe, expect, it } from "vitest";
import { createProgress } from "./progress.ts";

const digest = parseDigest(`sha256:${"0".repeat(64)}`);

function written(options: { readonly isTTY: boolean; readonly quiet?: boolean; readonly verbose?: boolean }): string {
  const parts: string[] = [];
  const { isTTY, quiet = false, verbose = false } = options;
  const stderr = { isTTY, columns: 30, write: (text: string) => parts.push(text) > 0 };

  const progress = createProgress(stderr, { quiet, verbose });
  progress.onIndexEvent({ kind: "layer-reading", digest, sizeBytes: 2_000_000 });
  progress.clear();
  return parts.join("");
}

describe("createProgress", () => {
  it("shows one line on a terminal, cut to its width, and clears it", () => {
    expect(written({ isTTY: true })).toBe(`\r\u001b[Ksha256:${"0".repeat(21)}…\r\u001b[K`);
  });

  it("writes nothing without a terminal or with --quiet", () => {
    expect(written({ isTTY: false })).toBe("");
    expect(written({ isTTY: true, quiet: true })).toBe("");
  });

  it("uses the singular for one layer", () => {
    const parts: string[] = [];
    const stderr = { write: (text: string) => parts.push(text) > 0 };
    const progress = createProgress(stderr, { quiet: false, verbose: true });
    for (const layers of [1, 2]) progress.onIndexEvent({ kind: "image-opened", reference: "a:1", layers });

    expect(parts).toEqual(["a:1: 1 layer\n", "a:1: 2 layers\n"]);
  });

  it("writes whole lines with --verbose", () => {
    expect(written({ isTTY: false, verbose: true })).toBe(`${digest}: reading 2.0 MB\n`);
  });
});
