import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { fedoraUpdater } from "./updater.ts";

const update = {
  alias: "FEDORA-2024-1",
  status: "stable",
  type: "security",
  severity: "urgent",
  notes: "Fixes CVE-2024-0002",
  url: "https://bodhi.example/FEDORA-2024-1",
  date_stable: "2024-01-02 03:04:05",
  release: { long_name: "Fedora 40" },
  builds: [{ nvr: "java-17-openjdk-17.0.3-1.fc40", epoch: 1, type: "rpm" }],
  bugs: [{ bug_id: 7, title: "CVE-2024-0001 java: overflow" }],
};

const pageOf = (...updates: readonly object[]) => JSON.stringify({ updates, total: updates.length });

const itemsIn = (document: string) => itemsOf(fedoraUpdater, feedReaderOf({ "": document }));

describe("fedoraUpdater over pages of Bodhi", () => {
  it("makes an advisory of a build, which is a source package", async () => {
    expect(await itemsIn(pageOf(update))).toEqual([
      {
        kind: "item",
        item: {
          id: "fedora/FEDORA-2024-1/fedora:40/java-17-openjdk/1:17.0.3-1.fc40",
          updater: "fedora",
          name: "FEDORA-2024-1",
          aliases: ["CVE-2024-0001", "CVE-2024-0002"],
          description: "Fixes CVE-2024-0002",
          issuedAt: Date.UTC(2024, 0, 2, 3, 4, 5),
          links: ["https://bodhi.example/FEDORA-2024-1", "https://bugzilla.redhat.com/show_bug.cgi?id=7"],
          severity: "urgent",
          normalizedSeverity: "Critical",
          ecosystem: "fedora:40",
          packageName: "java-17-openjdk",
          packageKind: "SOURCE",
          status: "affected",
          ranges: [{ fixed: "1:17.0.3-1.fc40" }],
          versions: [],
        },
      },
    ]);
  });

  it.each([
    ["an update that is being tested", { ...update, status: "testing" }],
    ["an update that fixes no vulnerability", { ...update, type: "bugfix", notes: "", bugs: [] }],
    ["a module", { ...update, builds: [{ nvr: "nodejs-16-1.2", epoch: 0, type: "module" }] }],
    ["another product", { ...update, release: { long_name: "Fedora EPEL 9" } }],
  ])("leaves out %s", async (_, each) => {
    expect(await itemsIn(pageOf(each))).toEqual([]);
  });

  it("takes an update for one of security that names a CVE id", async () => {
    expect(await itemsIn(pageOf({ ...update, type: "bugfix" }))).toHaveLength(1);
  });

  it("loses a build that is none, and an update without a name", async () => {
    const poisoned = { ...update, builds: [{ nvr: "java", epoch: 0 }, ...update.builds] };

    const items = await itemsIn(pageOf(poisoned, { ...update, alias: 7 }));

    expect(items.map(({ kind }) => kind)).toEqual(["problem", "item", "problem"]);
  });
});
