import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileReport } from "../../../../../scripts/build-report.ts";

describe("reportParts", () => {
  it("are what the components of the console compile to: npm run generate writes them", async () => {
    const committed = readFileSync(new URL("report-parts.generated.ts", import.meta.url), "utf8");

    expect(await compileReport()).toBe(committed);
  });
});
