/** What an import of `@plimsoll/core` costs in a bundle. `npm run packages` checks the same of the published package. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importLimits, tooLargeImports } from "./lib/import-sizes.ts";

const folder = resolve(import.meta.dirname, "../packages/core");
const { exports } = JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8")) as { readonly exports: object };
const place = { folder, conditions: ["plimsoll-source"] };

describe("an import of a subpath of @plimsoll/core", () => {
  it("costs what it needs", async () => {
    expect(await tooLargeImports(importLimits(Object.keys(exports)), place)).toEqual([]);
  });

  it("is measured", async () => {
    const limit = { specifier: "@plimsoll/core/errors", names: "{ ScanError }", maxBytes: 10 };

    expect(await tooLargeImports([limit], place)).toEqual([
      expect.stringMatching(
        /^import \{ ScanError \} of @plimsoll\/core\/errors costs \d{2,} bytes, expected at most 10$/,
      ),
    ]);
  });
});
