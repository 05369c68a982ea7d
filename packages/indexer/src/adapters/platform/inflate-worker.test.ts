import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bundleInflateWorker, renderWorkerModule } from "../../../../../scripts/lib/bundle-inflate-worker.ts";

describe("inflateWorkerSource", () => {
  it("is what its source is bundled to", async () => {
    const committed = readFileSync(new URL("inflate-worker.source.ts", import.meta.url), "utf8");

    expect(renderWorkerModule(await bundleInflateWorker()) === committed).toBe(true); // too long to be shown
  });
});
