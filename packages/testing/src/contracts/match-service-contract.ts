import assert from "node:assert/strict";
import type { Digest } from "@plimsoll/core/digest";
import type { VulnerabilityJson, VulnerabilityReportJson } from "@plimsoll/core/report";
import type { ContractCase } from "./contract.ts";

/** A matcher as its callers see it, in this process or in another. */
export interface MatchServiceSubject {
  report(digest: Digest): Promise<VulnerabilityReportJson>;
  /** For each digest the report, or undefined where there is none. */
  batch(digests: readonly Digest[]): Promise<readonly (readonly [Digest, VulnerabilityReportJson | undefined])[]>;
  updateOperations(query: {
    readonly kind?: "vulnerability" | "enrichment";
    readonly latest?: boolean;
  }): Promise<Readonly<Record<string, readonly MatchOperation[]>>>;
  updateDiff(refs: {
    readonly prev: string;
    readonly cur?: string;
    readonly scope?: "changed" | "related";
  }): Promise<MatchDiff>;
  deleteUpdateOperation(ref: string): Promise<unknown>;
}

/** `update_operation` of the scanner API. */
export interface MatchOperation {
  readonly ref: string;
  readonly updater: string;
  readonly fingerprint: string;
  readonly date: string;
  readonly kind: string;
}

/** `update_diff` of the scanner API, all pages together. */
export interface MatchDiff {
  readonly prev?: MatchOperation;
  readonly cur: MatchOperation;
  readonly added: readonly VulnerabilityJson[];
  readonly removed: readonly VulnerabilityJson[];
}

/**
 * A matcher and its data. By the first update of the feed `debian`, zlib of Debian 12 has CVE-2024-0001, fixed in 1.3; by the
 * second, the fix is 1.4, and zlib and expat have CVE-2024-0002, without a fix.
 */
export interface MatchServiceWorld {
  readonly matcher: MatchServiceSubject;
  /** An indexed image of Debian 12 that contains zlib 1.2 and nothing else. */
  readonly indexed: Digest;
  /** The digest of no image. */
  readonly unknown: Digest;
}

const beforeAll = "00000000-0000-0000-0000-000000000000";
const noRef = "7c1f0000-0000-4000-8000-000000000000";

/** What every matcher guarantees. Each case gets its own. */
export const matchServiceContract: readonly ContractCase<MatchServiceWorld>[] = [
  {
    name: "reports the vulnerabilities of an indexed image, by the newest data",
    async run({ matcher, indexed }) {
      const report = await matcher.report(indexed);

      assert.equal(report.manifest_hash, indexed);
      assert.deepEqual(fixesOf(Object.values(report.vulnerabilities)), [
        ["CVE-2024-0001", "1.4"],
        ["CVE-2024-0002", ""],
      ]);
      assert.equal(Object.values(report.package_vulnerabilities).flat().length, 2);
    },
  },
  {
    name: "has no report of an image that is not indexed",
    async run({ matcher, unknown }) {
      await assert.rejects(matcher.report(unknown));
    },
  },
  {
    name: "makes several reports in the order of the digests, although some cannot be made",
    async run({ matcher, indexed, unknown }) {
      const report = await matcher.report(indexed);

      assert.deepEqual(await matcher.batch([unknown, indexed, indexed]), [
        [unknown, undefined],
        [indexed, report],
        [indexed, report],
      ]);
      assert.deepEqual(await matcher.batch([]), []);
    },
  },
  {
    name: "lists operations by updater, newest first, and on request only the newest",
    async run({ matcher }) {
      const { debian: operations = [], ...others } = await matcher.updateOperations({ kind: "vulnerability" });

      assert.deepEqual(others, {});
      assert.equal(operations.length, 2);
      const [newest, oldest] = operations;
      assert.ok(Date.parse(newest?.date ?? "") >= Date.parse(oldest?.date ?? ""));
      for (const { ref, updater, kind, fingerprint } of operations) {
        assert.match(ref, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        assert.deepEqual([updater, kind, fingerprint !== ""], ["debian", "vulnerability", true]);
      }
      assert.deepEqual(await matcher.updateOperations({ kind: "vulnerability", latest: true }), { debian: [newest] });
      assert.deepEqual(await matcher.updateOperations({ kind: "enrichment" }), {});
    },
  },
  {
    name: "lists what changed between two operations, with the old and the new state",
    async run({ matcher }) {
      const [newest, oldest] = await refsOf(matcher);

      const diff = await matcher.updateDiff({ prev: oldest, cur: newest });

      assert.deepEqual([diff.prev?.ref, diff.cur.ref], [oldest, newest]);
      assert.deepEqual(fixesOf(diff.removed), [["CVE-2024-0001", "1.3"]]);
      assert.deepEqual(fixesOf(diff.added), [
        ["CVE-2024-0001", "1.4"],
        ["CVE-2024-0002", ""],
        ["CVE-2024-0002", ""],
      ]);
      assert.deepEqual(await matcher.updateDiff({ prev: oldest }), diff);
    },
  },
  {
    name: "finds no change between an operation and itself, and everything changed since before the first",
    async run({ matcher }) {
      const [newest, oldest] = await refsOf(matcher);

      const same = await matcher.updateDiff({ prev: newest, cur: newest });
      const all = await matcher.updateDiff({ prev: beforeAll, cur: oldest });

      assert.deepEqual([same.added, same.removed], [[], []]);
      assert.deepEqual([all.prev, fixesOf(all.added), all.removed], [undefined, [["CVE-2024-0001", "1.3"]], []]);
    },
  },
  {
    name: "lists as related the changes of packages that images have, in groups",
    async run({ matcher }) {
      const [newest, oldest] = await refsOf(matcher);

      const { added, removed } = await matcher.updateDiff({ prev: oldest, cur: newest, scope: "related" });

      assert.deepEqual(fixesOf(removed), [["CVE-2024-0001", "1.3"]]);
      assert.deepEqual(fixesOf(added), [
        ["CVE-2024-0001", "1.4"],
        ["CVE-2024-0002", ""],
      ]);
      const groups = [...added, ...removed].map((each) => (each as { rule?: { group?: string } }).rule?.group);
      assert.deepEqual(new Set(groups).size, 1);
      assert.equal(typeof groups[0], "string");
    },
  },
  {
    name: "compares no unknown operation",
    async run({ matcher }) {
      const [newest] = await refsOf(matcher);

      await assert.rejects(matcher.updateDiff({ prev: noRef }));
      await assert.rejects(matcher.updateDiff({ prev: newest, cur: noRef }));
      await assert.rejects(matcher.updateDiff({ prev: beforeAll }));
    },
  },
  {
    name: "deletes an operation: it can no longer be compared, and the one before it counts",
    async run({ matcher, indexed }) {
      const [newest, oldest] = await refsOf(matcher);

      await matcher.deleteUpdateOperation(noRef);
      await matcher.deleteUpdateOperation(newest);
      await matcher.deleteUpdateOperation(newest);

      await assert.rejects(matcher.updateDiff({ prev: oldest, cur: newest }));
      assert.deepEqual(fixesOf(Object.values((await matcher.report(indexed)).vulnerabilities)), [
        ["CVE-2024-0001", "1.3"],
      ]);
    },
  },
];

async function refsOf(matcher: MatchServiceSubject): Promise<readonly [newest: string, oldest: string]> {
  const { debian: operations = [] } = await matcher.updateOperations({ kind: "vulnerability" });
  const [newest, oldest] = operations.map(({ ref }) => ref);
  assert.ok(newest !== undefined && oldest !== undefined);
  return [newest, oldest];
}

/** The names with the fixed versions, sorted. */
function fixesOf(vulnerabilities: readonly VulnerabilityJson[]): readonly (readonly [string, string])[] {
  const fixes = vulnerabilities.map(({ name, fixed_in_version = "" }) => [name, fixed_in_version] as const);
  return fixes.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
