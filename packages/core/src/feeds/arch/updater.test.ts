import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { archUpdater } from "./updater.ts";

const group = {
  name: "AVG-2",
  packages: ["a", "lib32-a"],
  status: "Fixed",
  severity: "Critical",
  type: "arbitrary code execution",
  affected: "1-1",
  fixed: "2-1",
  issues: ["CVE-2024-1", "CVE-2024-2"],
  advisories: ["ASA-202401-1"],
};
const read = (text: string) => itemsOf(archUpdater, feedReaderOf({ "": text }));

describe("archUpdater", () => {
  it("makes an advisory of each package and vulnerability of a group", async () => {
    const items = await read(JSON.stringify([group]));

    expect(items.map((item) => item.kind === "item" && item.item.id)).toEqual([
      "arch/AVG-2/CVE-2024-1/a",
      "arch/AVG-2/CVE-2024-2/a",
      "arch/AVG-2/CVE-2024-1/lib32-a",
      "arch/AVG-2/CVE-2024-2/lib32-a",
    ]);
    expect(items[0]).toMatchObject({
      item: {
        ecosystem: "arch",
        packageKind: "BINARY",
        ranges: [{ fixed: "2-1" }],
        severity: "Critical",
        normalizedSeverity: "Critical",
        links: ["CVE-2024-1", "AVG-2", "ASA-202401-1"].map((id) => `https://security.archlinux.org/${id}`),
      },
    });
  });

  it("names a group without vulnerabilities by itself", async () => {
    const items = await read(JSON.stringify([{ ...group, packages: ["a"], issues: [] }]));

    expect(items).toMatchObject([{ item: { name: "AVG-2" } }]);
  });

  it("makes a problem of a group that cannot be read, and reads the others", async () => {
    const items = await read(JSON.stringify([{ ...group, status: "Perhaps" }, {}, { ...group, packages: ["a"] }]));

    expect(items.map(({ kind }) => kind)).toEqual(["problem", "problem", "item", "item"]);
  });

  it.each(["<html></html>", "{}", "[", ""])("refuses the document %j", async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "malformed_feed" });
  });
});
