import { zstdCompressSync } from "node:zlib";
import { buildTar } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem, RecordChange } from "../../plugins/updater.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { collect, type ItemOrProblem, itemsOf, withoutRecords } from "../shared/fixtures/items-of.ts";
import { csafDocument } from "./fixtures/csaf-document.ts";
import { redhatUpdater } from "./updater.ts";

const documentOf = (id: string, fixed = "1-2.el9") =>
  JSON.stringify(
    csafDocument({
      id,
      products: { "BaseOS-9": "cpe:/o:redhat:enterprise_linux:9::baseos" },
      components: { zlib: `pkg:rpm/redhat/zlib@${fixed}?arch=x86_64` },
      statuses: { fixed: ["BaseOS-9:zlib"] },
    }),
  );

const fileOf = (cve: string) => `2024/${cve.toLowerCase()}.json`;

function archiveOf(contents: Readonly<Record<string, string>>): Uint8Array {
  const members = Object.entries(contents).map(([name, content]) => ({ name, content }));
  return zstdCompressSync(buildTar(...members));
}

const [first, second, third] = ["CVE-2024-0001", "CVE-2024-0002", "CVE-2024-0003"] as const;
const archive = "csaf_vex_2024-03-10.tar.zst";
const lineOf = (cve: string, date: string) => `"${fileOf(cve)}","${date}"\n`;

const site = {
  "archive_latest.txt": `${archive}\n`,
  [archive]: archiveOf({ [fileOf(first)]: documentOf(first), [fileOf(second)]: documentOf(second) }),
  "changes.csv": lineOf(first, "2024-03-01T00:00:00+00:00") + lineOf(second, "2024-03-02T00:00:00+00:00"),
  "deletions.csv": "",
  [fileOf(second)]: documentOf(second),
};

/** `CVE fix` of each advisory; problems by their message. */
function told(items: readonly ItemOrProblem<Advisory>[]): string[] {
  return items.map((each) =>
    each.kind === "problem" ? each.message : `${each.item.name} ${each.item.ranges[0]?.fixed}`,
  );
}

async function changesOf(documents: Readonly<Record<string, string | Uint8Array>>, previous: string) {
  const update = await redhatUpdater.update(feedReaderOf(documents), previous);
  if (update.kind !== "delta") return update.kind;
  const changes: FeedItem<RecordChange<Advisory>>[] = await collect(update.changes);
  return withoutRecords(changes).map((each) =>
    each.kind === "problem"
      ? each.message
      : [each.item.record, ...each.item.items.map(({ ranges }) => ranges[0]?.fixed)],
  );
}

async function fingerprintOf(documents: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const update = await redhatUpdater.update(feedReaderOf(documents));
  if (update.kind !== "snapshot") throw new Error(update.kind);
  return update.fingerprint;
}

describe("redhatUpdater on the site", () => {
  it("reads the archive, and what changed or went after it", async () => {
    const changed = {
      ...site,
      "changes.csv": lineOf(third, "2024-03-12T00:00:00+00:00") + lineOf(first, "2024-03-11T00:00:00+00:00"),
      "deletions.csv": lineOf(second, "2024-03-13T00:00:00+00:00"),
      [fileOf(first)]: documentOf(first, "9-9.el9"),
      [fileOf(third)]: documentOf(third),
    };

    expect(told(await itemsOf(redhatUpdater, feedReaderOf(site)))).toEqual([`${first} 1-2.el9`, `${second} 1-2.el9`]);
    expect(told(await itemsOf(redhatUpdater, feedReaderOf(changed)))).toEqual([`${third} 1-2.el9`, `${first} 9-9.el9`]);
  });

  it("reads only what changed since the last run", async () => {
    const previous = await fingerprintOf(site);
    const changed = {
      ...site,
      "changes.csv": lineOf(third, "2024-03-12T00:00:00+00:00") + site["changes.csv"],
      "deletions.csv": lineOf(first, "2024-03-12T00:00:00+00:00"),
      [fileOf(third)]: documentOf(third),
      [archive]: "not asked for",
    };

    const changes = await changesOf(changed, previous);

    expect(changes).toEqual([[first], [third, "1-2.el9"], [second, "1-2.el9"]]); // the last change of before is read again
    expect(await changesOf(site, previous)).toBe("unchanged");
    expect(await changesOf(changed, await fingerprintOf({ ...changed, [archive]: site[archive] ?? "" }))).toBe(
      "unchanged",
    );
  });

  it("takes a file that came back after it was deleted for one that is there", async () => {
    const previous = await fingerprintOf(site);
    const changed = {
      ...site,
      "changes.csv": lineOf(third, "2024-03-12T00:00:00+00:00"),
      "deletions.csv": lineOf(third, "2024-03-11T00:00:00+00:00"),
      [fileOf(third)]: documentOf(third),
    };

    expect(await changesOf(changed, previous)).toEqual([[third, "1-2.el9"]]);
  });

  it("leaves what was said of a record whose file cannot be read or is not there", async () => {
    const previous = await fingerprintOf(site);
    const changed = {
      ...site,
      "changes.csv": lineOf(first, "2024-03-12T00:00:00+00:00") + lineOf(third, "2024-03-12T00:00:00+00:00"),
      [fileOf(first)]: documentOf(first).slice(0, 100),
    };

    expect(await changesOf(changed, previous)).toEqual([
      expect.stringMatching(/expected JSON/),
      "the list of changes names it, but it does not exist",
    ]);
  });

  it("reads everything again where too much has changed, or an earlier parser made the state", async () => {
    const many = Array.from({ length: 3001 }, (_, at) => lineOf(`CVE-2023-${1000 + at}`, "2024-03-09T12:00:00+00:00"));
    const changed = { ...site, "changes.csv": many.join("") };

    expect(await changesOf(changed, await fingerprintOf(site))).toBe("snapshot");
    expect(await changesOf(site, '{"revision":0}')).toBe("snapshot");
    expect(await changesOf(site, '1 [["","folder"]]')).toBe("snapshot");
  });

  it.each([
    [
      "changes that are a page",
      { "changes.csv": "<html></html>" },
      /changes.csv: expected the name of a file and a date/,
    ],
    ["a name that climbs", { "changes.csv": '"../cve-2024-0001.json","2024-03-01"' }, /expected the name of a file/],
    ["a pointer that is a page", { "archive_latest.txt": "<html></html>" }, /expected the name of an archive/],
    ["an archive that is a page", { [archive]: "<html></html>" }, /tar/],
    ["an archive that is cut off", { [archive]: site[archive]?.slice(0, -40) ?? "" }, /zstd|tar/],
  ])("refuses %s", async (_, broken, message) => {
    const refused = { code: "malformed_feed", message: expect.stringMatching(message) };

    await expect(itemsOf(redhatUpdater, feedReaderOf({ ...site, ...broken }))).rejects.toMatchObject(refused);
  });

  it("loses one poisoned record of an archive and nothing else", async () => {
    const poisoned = archiveOf({ [fileOf(first)]: '{"document":7}', [fileOf(second)]: documentOf(second) });
    const items = await itemsOf(redhatUpdater, feedReaderOf({ ...site, [archive]: poisoned }));

    expect(told(items)).toEqual([expect.stringContaining("expected an object, found 7"), `${second} 1-2.el9`]);
  });
});

describe("redhatUpdater on a file or a folder", () => {
  it.each([
    ["an archive", { "": site[archive] ?? "" }, [`${first} 1-2.el9`, `${second} 1-2.el9`]],
    ["a document", { "": documentOf(first) }, [`${first} 1-2.el9`]],
  ])("reads %s", async (_, documents, expected) => {
    expect(told(await itemsOf(redhatUpdater, feedReaderOf(documents)))).toEqual(expected);
  });

  it("takes a document of a folder for the one of its name in an archive", async () => {
    const documents = {
      [archive]: site[archive] ?? "",
      [fileOf(first)]: documentOf(first, "9-9.el9"),
      "notes.txt": "x",
    };
    const reader = feedReaderOf(documents, { layout: "folder" });

    expect(told(await itemsOf(redhatUpdater, reader))).toEqual([`${first} 9-9.el9`, `${second} 1-2.el9`]);
  });

  it("finds the same folder unchanged", async () => {
    const reader = feedReaderOf({ [fileOf(first)]: documentOf(first) }, { layout: "folder" });
    const update = await redhatUpdater.update(reader);
    const again = update.kind === "snapshot" ? await redhatUpdater.update(reader, update.fingerprint) : update;

    expect(again.kind).toBe("unchanged");
  });

  it("refuses a folder without documents", async () => {
    const reader = feedReaderOf({ "notes.txt": "x" }, { layout: "folder" });

    await expect(itemsOf(redhatUpdater, reader)).rejects.toThrow("expected an archive or documents of Red Hat");
  });
});
