import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";

describe("homebrewDetector", () => {
  it("finds a formula by the path of its receipt", async () => {
    const path = "home/linuxbrew/.linuxbrew/Cellar/openssl@3/3.2.1_1/INSTALL_RECEIPT.json";

    const report = await indexLayers([[fileOf(path, "{}")]]);

    expect(listPackages(report)).toEqual([`openssl@3 3.2.1_1 (homebrew) ${path}`]);
    expect(report.coverage.unassessed).toEqual([]);
  });
});
