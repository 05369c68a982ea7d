import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileInflate, renderInflateModule } from "../../../../scripts/build-inflate.ts";

describe("inflateWasm", () => {
  it("is what its source compiles to", async () => {
    const committed = readFileSync(new URL("inflate.wasm.ts", import.meta.url), "utf8");

    expect(renderInflateModule(await compileInflate())).toBe(committed);
  });
});
