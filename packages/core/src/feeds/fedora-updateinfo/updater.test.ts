import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../shared/fixtures/items-of.ts";
import { fedoraUpdater } from "./updater.ts";

function updateOf(release: string, id = "FEDORA-2022-59e474cd5c", type = "security"): string {
  return `<update from="updates@fedoraproject.org" status="stable" type="${type}" version="2.0"><id>${id}</id>
    <title>expat-2.4.9-1.fc36</title><issued date="2022-09-24 01:17:00"/><release>${release}</release>
    <severity>Important</severity><description>Rebase to 2.4.9</description>
    <references>
      <reference href="https://bugzilla.example/2130769" id="2130769" type="bugzilla" title="CVE-2022-40674 CVE-2022-40675 expat: a use-after-free"/>
      <reference href="https://bugzilla.example/7" id="7" type="bugzilla" title="update expat"/>
    </references>
    <pkglist><collection short="F36"><name>Fedora 36</name>
      <package name="expat" version="2.4.9" release="1.fc36" epoch="0" arch="x86_64" src="expat-2.4.9-1.fc36.src.rpm"/>
      <package name="expat" version="2.4.9" release="1.fc36" epoch="0" arch="i686" src="expat-2.4.9-1.fc36.src.rpm"/>
      <package name="expat" version="2.4.9" release="1.fc36" epoch="0" arch="src" src="expat-2.4.9-1.fc36.src.rpm"/>
    </collection></pkglist></update>`;
}

const documentOf = (...updates: string[]) => `<?xml version="1.0"?><updates>${updates.join("")}</updates>`;

const page = (...links: string[]) =>
  `<!DOCTYPE HTML><html><body><pre>${links.map((link) => `<a href="${link}">${link}</a>`).join("")}</pre></body></html>`;

/** The documents of one release of the site. */
function releaseOf(release: number, content = documentOf(updateOf(`Fedora ${release}`))) {
  const folder = `${release}/Everything/x86_64`;
  const updates = zstdCompressSync(content);
  const digest = createHash("sha256").update(updates).digest("hex");
  return {
    [`${folder}/repodata/1-updateinfo.xml.zst`]: updates,
    [`${folder}/repodata/repomd.xml`]: `<repomd><data type="updateinfo_zck"><location href="repodata/x"/></data>
      <data type="updateinfo"><checksum type="sha256">${digest}</checksum><location href="repodata/1-updateinfo.xml.zst"/></data></repomd>`,
  };
}

describe("fedoraUpdater", () => {
  it("makes an advisory of a package, whatever its architecture", async () => {
    const items = await itemsOf(fedoraUpdater, feedReaderOf({ "": documentOf(updateOf("Fedora 36")) }));

    expect(items).toEqual([
      {
        kind: "item",
        item: {
          id: "fedora/FEDORA-2022-59e474cd5c/fedora:36/expat/2.4.9-1.fc36",
          updater: "fedora",
          name: "FEDORA-2022-59e474cd5c",
          aliases: ["CVE-2022-40674", "CVE-2022-40675"],
          ecosystem: "fedora:36",
          packageName: "expat",
          packageKind: "BINARY",
          status: "affected",
          ranges: [{ fixed: "2.4.9-1.fc36" }],
          versions: [],
          description: "Rebase to 2.4.9",
          issuedAt: Date.UTC(2022, 8, 24, 1, 17),
          links: ["https://bugzilla.example/2130769", "https://bugzilla.example/7"],
          severity: "Important",
          normalizedSeverity: "High",
        },
      },
    ]);
  });

  it.each(["Fedora EPEL 9", "Fedora 36 Flatpaks", ""])("leaves out updates of %j", async (release) => {
    expect(await itemsOf(fedoraUpdater, feedReaderOf({ "": documentOf(updateOf(release)) }))).toEqual([]);
  });

  it("reads the releases that the page names, without those that have no updates yet", async () => {
    const feeds = feedReaderOf({
      "": page("../", "40/", "41/", "42/", "testing/"),
      ...releaseOf(40),
      ...releaseOf(41),
      "42/Everything/x86_64/repodata/repomd.xml": "<repomd/>",
    });

    expect(await itemsOf(fedoraUpdater, feeds)).toMatchObject([
      { item: { ecosystem: "fedora:40" } },
      { item: { ecosystem: "fedora:41" } },
    ]);
  });

  it("refuses a document with another digest than its index says", async () => {
    const documents = { "": page("40/"), ...releaseOf(40) };
    const changed = {
      ...documents,
      "40/Everything/x86_64/repodata/1-updateinfo.xml.zst": zstdCompressSync("<updates/>"),
    };

    await expect(itemsOf(fedoraUpdater, feedReaderOf(changed))).rejects.toMatchObject({ code: "malformed_feed" });
  });

  it.each([
    ["nothing", {}],
    ["a page without releases", { "": page("../") }],
    ["releases without updates", { "": page("42/"), "42/Everything/x86_64/repodata/repomd.xml": "<repomd/>" }],
  ])("says so when there is %s", async (_, documents) => {
    await expect(itemsOf(fedoraUpdater, feedReaderOf(documents))).rejects.toMatchObject({ code: "not_found" });
  });

  it("is unchanged as long as the documents of updates are", async () => {
    const site = { "": page("40/"), ...releaseOf(40) };
    const first = await fedoraUpdater.update(feedReaderOf(site));
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;

    expect(await fedoraUpdater.update(feedReaderOf(site), fingerprint)).toEqual({ kind: "unchanged" });
    const changed = feedReaderOf({ ...site, ...releaseOf(40, documentOf()) });
    expect(await fedoraUpdater.update(changed, fingerprint)).toMatchObject({ kind: "snapshot" });
    const grown = feedReaderOf({ ...site, ...releaseOf(41), "": page("40/", "41/") });
    expect(await fedoraUpdater.update(grown, fingerprint)).toMatchObject({ kind: "snapshot" });
  });
});

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
