import { describe, expect, it } from "vitest";
import { MemoryBudget } from "../bytes/memory-budget.ts";
import { allEvidenceRules } from "../ecosystems/all-evidence.ts";
import { LayerEvidence } from "./layer-evidence.ts";

/** The first page of a Berkeley DB, with the magic number only. */
function firstPage(magic: number, { isLittleEndian }: { readonly isLittleEndian: boolean }): Uint8Array {
  const page = new Uint8Array(4096);
  new DataView(page.buffer).setUint32(12, magic, isLittleEndian);
  return page;
}

const [hash, tree] = [0x00061561, 0x00053162];
const aptList = new TextEncoder().encode("Package: apt\nVersion: 2.6.1\nArchitecture: amd64\n");

describe("LayerEvidence", () => {
  it.each([
    ["a hash", "opt/x/Packages", firstPage(hash, { isLittleEndian: true }), 1],
    ["a hash of the other byte order", "Packages", firstPage(hash, { isLittleEndian: false }), 1],
    ["a B-tree", "srv/root/Packages", firstPage(tree, { isLittleEndian: true }), 1],
    ["a list of apt", "var/lib/apt/lists/Packages", aptList, 0],
    ["a short file", "opt/x/Packages", aptList.subarray(0, 13), 0],
    ["a Berkeley DB of another name", "opt/x/cache.db", firstPage(hash, { isLittleEndian: true }), 0],
    ["the database that the detector reads", "var/lib/rpm/Packages", firstPage(hash, { isLittleEndian: true }), 0],
    ["a database known by its folder", "mnt/root/var/lib/rpm/Packages", firstPage(hash, { isLittleEndian: true }), 1],
  ])("looks for rpm databases by content: %s", (_, path, bytes, pieces) => {
    for (const partBytes of [1, 13, 4096]) {
      const evidence = new LayerEvidence(new MemoryBudget(1024, "maxKeptBytes"), allEvidenceRules);
      const watcher = evidence.seeFile(path, { sizeBytes: bytes.length, mode: 0o644 });
      for (let at = 0; watcher && at < bytes.length; at += partBytes) {
        if (!watcher(bytes.slice(at, at + partBytes))) break;
      }

      const found = evidence.list(() => true);
      expect(found).toEqual(pieces === 0 ? [] : [{ kind: "evidence", path, packages: "rpm", pieces }]);
    }
  });
});
