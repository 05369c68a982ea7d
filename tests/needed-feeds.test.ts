/** Which feeds an update brings in: those that the images need which a scanner has seen. */
import { join } from "node:path";
import { allEcosystems, createEngine } from "@plimsoll/core";
import type { FeedScope } from "@plimsoll/core/internal";
import type { Updater } from "@plimsoll/core/plugins";
import { fromArchive, openScanner, type Scanner } from "@plimsoll/scanner";
import { testAdvisory } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage, debianTracker, ociArchive } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const needed: (readonly string[])[] = [];
const feedOf = (name: string, scope: FeedScope): Updater => ({
  name,
  location: "memory:",
  scope,
  async update(feeds) {
    needed.push([name, ...(feeds.needed ?? ["everything"])].toSorted());
    return { kind: "snapshot", fingerprint: name, items: itemsOf(name) };
  },
});
async function* itemsOf(updater: string) {
  yield { kind: "item", item: testAdvisory({ id: updater }) } as const;
}
const updaters = [
  feedOf("debian", { partBytes: { debian: 0 }, sharedBytes: 70e6 }),
  feedOf("suse", { partBytes: { sles: 0 }, sharedBytes: 250e6 }),
];
const engine = createEngine({ ecosystems: allEcosystems, updaters, enrichers: [] });

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const archive = folder.write("image.tar", await ociArchive(await debianImage(["libssl3 3.0.11-1 openssl"])));

async function chosen(scanner: Scanner, only?: readonly string[] | "all"): Promise<readonly string[]> {
  const names: string[] = [];
  await scanner.updateFeeds({
    only,
    onEvent: (event) => event.kind === "chosen" && names.push(...event.feeds.map(({ name }) => name)),
  });
  return names;
}

describe("an update without names", () => {
  it("brings in what images need that were indexed before, also by another process", async () => {
    const db = join(folder.path, "needed.db");
    await using scanner = await openScanner({ db, engine });
    expect(await chosen(scanner)).toEqual(["debian"]); // of a new database: what most images need
    expect(await chosen(scanner, "all")).toEqual(["debian", "suse"]);
    expect(await chosen(scanner, ["suse"])).toEqual(["suse"]);
    await scanner.index(fromArchive(archive));
    needed.length = 0;

    await using other = await openScanner({ db, engine });
    expect(await chosen(other)).toEqual(["debian"]);
    expect(needed).toEqual([["debian", "debian"]]);
  });

  it("says which feeds there are, and how large, before it begins", async () => {
    const tracker = folder.write("tracker.json", debianTracker({ openssl: { "CVE-2024-0001": { urgency: "high" } } }));
    const db = join(folder.path, "said.db");

    const ran = await runPlimsoll(["db", "update", "--db", db], { engine });
    const quiet = await runPlimsoll(["db", "update", "--db", db, "--quiet"], { engine });
    const named = await runPlimsoll(["db", "update", "--db", db, "--feed", `debian=${tracker}`], { engine });

    expect(ran.stderr).toContain("updating 1 feed, about 70 MB the first time, then what changed: debian\n");
    expect([quiet.stderr, named.stderr]).toEqual(["", ""]);
  });
});
