import assert from "node:assert/strict";
import type { IndexReport } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { Manifest } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import type { ContractCase } from "./contract.ts";

/** An indexer as its callers see it, in this process or in another. */
export interface IndexServiceSubject {
  submit(manifest: Manifest): Promise<IndexReport>;
  findReport(digest: Digest): Promise<IndexReport | undefined>;
  delete(digest: Digest): Promise<unknown>;
  deleteMany(digests: readonly Digest[]): Promise<readonly Digest[]>;
  affectedManifests(summaries: Json): Promise<{
    readonly vulnerabilities: Readonly<Record<string, Json>>;
    readonly vulnerable_manifests: Readonly<Record<string, readonly string[]>>;
  }>;
}

/** An indexer, and images to submit to it. */
export interface IndexServiceWorld {
  readonly indexer: IndexServiceSubject;
  /** Manifests of two images of Debian 12, each with the package zlib1g 1.2, and of one whose layer cannot be fetched. */
  readonly images: { readonly first: Manifest; readonly second: Manifest; readonly broken: Manifest };
}

const summary = {
  name: "CVE-1",
  normalized_severity: "High",
  fixed_in_version: "1.3",
  package: { name: "zlib1g", version: "", kind: "BINARY" },
  distribution: { id: "0", did: "debian", version_id: "12" },
};

/** What every indexer guarantees. Each case gets one that has indexed nothing. */
export const indexServiceContract: readonly ContractCase<IndexServiceWorld>[] = [
  {
    name: "returns the report of a submitted image, at once and later",
    async run({ indexer, images: { first } }) {
      const report = await indexer.submit(first);

      assert.deepEqual([report.manifestDigest, report.state, report.success], [first.digest, "IndexFinished", true]);
      assert.deepEqual(await indexer.findReport(first.digest), report);
      assert.deepEqual(await indexer.submit(first), report);
    },
  },
  {
    name: "returns the same report to all callers that submit the same image at once",
    async run({ indexer, images: { first } }) {
      const reports = await Promise.all(Array.from({ length: 8 }, () => indexer.submit(first)));

      for (const report of reports) assert.deepEqual(report, reports[0]);
    },
  },
  {
    name: "finds no report of an image that was not submitted",
    async run({ indexer, images: { first } }) {
      assert.equal(await indexer.findReport(first.digest), undefined);
      assert.deepEqual(await indexer.deleteMany([first.digest]), []);
      await indexer.delete(first.digest);
    },
  },
  {
    name: "fails for an image whose layer cannot be fetched, and records why",
    async run({ indexer, images: { broken } }) {
      await assert.rejects(indexer.submit(broken));

      const report = await indexer.findReport(broken.digest);
      assert.deepEqual([report?.state, report?.success], ["IndexError", false]);
      assert.ok(report?.error);
    },
  },
  {
    name: "deletes the given images and nothing else",
    async run({ indexer, images: { first, second } }) {
      await indexer.submit(first);
      const kept = await indexer.submit(second);

      assert.deepEqual(await indexer.deleteMany([first.digest, first.digest]), [first.digest]);

      assert.equal(await indexer.findReport(first.digest), undefined);
      assert.deepEqual(await indexer.findReport(second.digest), kept);
      await indexer.delete(second.digest);
      assert.equal(await indexer.findReport(second.digest), undefined);
    },
  },
  {
    name: "finds the images that a vulnerability applies to, with both forms of the request",
    async run({ indexer, images: { first, second } }) {
      for (const manifest of [first, second]) await indexer.submit(manifest);

      const found = await indexer.affectedManifests([summary, { ...summary, fixed_in_version: "1.1" }]);

      const manifests = Object.keys(found.vulnerable_manifests);
      assert.deepEqual(manifests.toSorted(), [first.digest, second.digest].toSorted());
      assert.equal(Object.keys(found.vulnerabilities).length, 2);
      const wrapped = { vulnerabilities: [summary, { ...summary, fixed_in_version: "1.1" }] };
      assert.deepEqual(await indexer.affectedManifests(wrapped), found);
    },
  },
  {
    name: "finds no image that was deleted",
    async run({ indexer, images: { first } }) {
      await indexer.submit(first);
      await indexer.delete(first.digest);

      assert.deepEqual((await indexer.affectedManifests([summary])).vulnerable_manifests, {});
    },
  },
];
