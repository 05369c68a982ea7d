import { basicScanner, type ImageScanner, type LoadedFeed, type ScanOutcome } from "@plimsoll/registry/ports/scanning";
import { countFindingsJob } from "@plimsoll/registry/security/jobs";
import { putDue, putFindingCounts } from "@plimsoll/registry/security/queries/findings";
import { giveUpScan } from "@plimsoll/registry/security/scan-manifest";
import { scanManifestJob } from "@plimsoll/registry/security/scan-queue";
import { enqueueJob, runDueJobs, systemTime } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { emptyBlobs, openTestRegistry } from "../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { putManifest, putRepository, type TestManifest } from "../fixtures/test-repositories.ts";

const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest: `sha256:${"a".repeat(64)}`, size: 1 };
const scanned: ScanOutcome = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage };
const day = 86_400_000;

type Engine = (typeof testEngines)[number];

/** Some images that wait for their scan, and what the scanner finds in each; `off`: it cannot be asked. */
async function openImages(engine: Engine, count: number) {
  const registry = await openTestRegistry({ engine });
  const { store, time, settings, pageAddress } = registry;
  const { db } = store;
  const repository = await putRepository(registry, { namespace: await registry.user("alice"), name: "app" });
  const images: TestManifest[] = [];
  for (let size = 1; size <= count; size++)
    images.push(await putManifest(registry, repository, { content: { layers: [{ ...layer, size }] } }));
  const rows = images.map(({ id }) => ({
    manifest_id: id,
    reason: null,
    attempts: 0,
    index_state: null,
    changed_at: 0,
  }));
  await db
    .insertInto("manifest_scan")
    .values(rows.map((row) => ({ ...row, state: "queued" as const })))
    .execute();
  const found = new Map<string, ScanOutcome | "off">();
  const feeds: { loaded: LoadedFeed[] } = { loaded: [] };
  const scanner: ImageScanner = {
    ...basicScanner,
    feeds: async () => ({ ...feeds, missing: [], failures: [] }),
    state: async () => "one",
    index: async () => {},
    async find({ digest }) {
      const outcome = found.get(digest) ?? scanned;
      if (outcome === "off") throw new Error("it is off");
      return outcome;
    },
  };
  const clock = { now: () => time.now };
  const options = { store, scanner, blobs: emptyBlobs, clock, settings, pageAddress };
  const run = () => {
    const jobs = [scanManifestJob.withContext(options), countFindingsJob.withContext(options)];
    return runDueJobs({ store, jobs, clock, random: () => 0, sleep: systemTime.sleep });
  };
  return {
    registry,
    images,
    found,
    feeds,
    options,
    scan: async () => {
      for (const { id: manifestId } of images)
        await enqueueJob(db, scanManifestJob.of({ manifestId, namespaceId: "" }), clock);
      await run();
    },
    count: async () => {
      await enqueueJob(db, countFindingsJob.of(null, { maxAttempts: 1 }), clock);
      await run();
    },
    names: async () =>
      (await db.selectFrom("found_vulnerability").select("name").orderBy("name").execute()).map(({ name }) => name),
    upgrades: () => db.selectFrom("found_upgrade").select(["package", "to_version", "high"]).execute(),
    counts: () =>
      db.selectFrom("finding_count").select(["high", "low", "counted_at", "due_at"]).orderBy("manifest_id").execute(),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "countFindings on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("counts when a scan ends, and again after a day; the counts go with the image", async () => {
      const { registry, images, found, scan, count, counts, names, upgrades } = await openImages(engine, 1);
      await using _ = registry;
      const { time, store } = registry;
      const [image = { id: "", digest: "" }] = images;

      await scan();
      const at = time.now;
      expect(await counts()).toEqual([{ high: 1, low: 1, counted_at: at, due_at: at + day }]);
      expect(await names()).toEqual(["cve-2022-25883", "cve-2023-5678", "ghsa-c2qf-rxjj-qqgw"]);
      expect(await upgrades()).toEqual([]);
      await count(); // the first notes the feeds
      found.set(image.digest, {
        ...scanned,
        report: { ...vulnerabilityReport, package_vulnerabilities: { "2": ["1"] } },
      });
      await count();
      expect(await counts()).toMatchObject([{ high: 1 }]);
      time.now += day;
      await count();
      expect(await counts()).toEqual([{ high: 0, low: 1, counted_at: time.now, due_at: time.now + day }]);
      expect(await names()).toEqual(["cve-2023-5678"]);
      const { "2": semver } = vulnerabilityReport.vulnerabilities;
      if (semver === undefined) throw new Error("the report of the tests has two vulnerabilities");
      for (const [fix, stored] of [
        ["7.5.2", [{ package: "semver", to_version: "7.5.2", high: 1 }]],
        ["", []],
      ] as const) {
        const vulnerabilities = { ...vulnerabilityReport.vulnerabilities, "2": { ...semver, fixed_in_version: fix } };
        found.set(image.digest, { ...scanned, report: { ...vulnerabilityReport, vulnerabilities } });
        time.now += day;
        await count();
        expect(await upgrades()).toEqual(stored);
      }
      found.set(image.digest, {
        ...scanned,
        report: { ...vulnerabilityReport, package_vulnerabilities: { "2": ["1"] } },
      });
      time.now += day;
      await count();
      found.set(image.digest, { status: "queued" });
      time.now += day;
      await count();
      expect(await counts(), "what is known stays").toMatchObject([{ high: 0, due_at: time.now + day }]);

      await store.db.updateTable("manifest_scan").set({ state: "queued" }).execute();
      await giveUpScan(store.db, { manifestId: image.id, reason: "it broke off", now: time.now });
      expect([await counts(), await names()], "nothing is said of what cannot be read").toEqual([[], []]);
      await putDue(store.db, image.id, 0);
      await store.db.deleteFrom("image_manifest").execute();
      expect(await counts()).toEqual([]);
      await putDue(store.db, image.id, 0);
      expect(await counts()).toEqual([]);
    });

    test("counts again when a feed is new, and when one changed whose updates name no images", async () => {
      const { registry, images, feeds, scan, count, found } = await openImages(engine, 2);
      await using _ = registry;
      const { time, store } = registry;
      const known = { kind: "enrichment", rows: 1, dropped: 0, checkedAt: 0, isOutdated: false } as const;
      const countedAt = async () =>
        (await store.db.selectFrom("finding_count").select(["counted_at", "data_state"]).execute()).map((row) => row);
      await scan();
      await count();
      const changes = [
        { loaded: [], isNew: false },
        { loaded: [{ ...known, name: "kev", changedAt: 1 }], isNew: true },
        { loaded: [{ ...known, name: "kev", changedAt: 1, checkedAt: 2 }], isNew: false },
        { loaded: [{ ...known, name: "kev", changedAt: 2 }], isNew: true },
        { loaded: ["kev", "epss"].map((name) => ({ ...known, name, changedAt: 2 })), isNew: true },
        {
          loaded: ["kev", "epss"].map((name) => ({ ...known, name, changedAt: name === "kev" ? 2 : 3 })),
          isNew: false,
        },
        { loaded: [{ ...known, name: "kev", changedAt: 2 }], isNew: true },
        { loaded: ["kev", "osv"].map((name) => ({ ...known, name, changedAt: 2 })), isNew: true },
        {
          loaded: [
            { ...known, name: "kev", changedAt: 2 },
            { ...known, name: "osv", kind: "vulnerability" as const, changedAt: 3 },
          ],
          isNew: true,
        },
        {
          loaded: [
            { ...known, name: "kev", changedAt: 2 },
            { ...known, name: "osv", kind: "vulnerability" as const, changedAt: 4 },
          ],
          isNew: false,
        },
      ];

      for (const { loaded, isNew } of changes) {
        time.now += 60_000;
        feeds.loaded = loaded;
        await count();

        expect(
          (await countedAt()).map(({ counted_at: at }) => at === time.now),
          JSON.stringify(loaded),
        ).toEqual([...[isNew, isNew]]);
      }
      for (const { digest } of images) found.set(digest, "off");
      feeds.loaded = [];
      time.now += 60_000;
      await count();
      expect((await countedAt()).map(({ data_state: state }) => state)).toEqual(["outdated", "outdated"]);
    });

    test("counts later what the scanner cannot be asked about, without holding up the others", async () => {
      const { registry, images, found, scan, count, counts } = await openImages(engine, 2);
      await using _ = registry;
      const [first, second] = images.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      for (const { digest } of images) found.set(digest, "off");

      await scan();
      const none = { high: null, low: null, counted_at: null };
      expect(await counts()).toEqual([
        { ...none, due_at: 0 },
        { ...none, due_at: 0 },
      ]);
      found.delete(second?.digest ?? "");
      await count();
      await count();
      expect(await counts()).toMatchObject([none, { high: 1 }]);
      found.delete(first?.digest ?? "");
      registry.time.now += 3_600_000;
      await count();

      expect(await counts()).toMatchObject([{ high: 1 }, { high: 1 }]);
    });

    test("keeps the newest counts, whoever comes last", async () => {
      const { registry, images, scan, counts } = await openImages(engine, 1);
      await using _ = registry;
      await scan();
      const { now } = registry.time;
      const [{ id: manifestId } = { id: "" }] = images;
      const found = { critical: 0, high: 9, medium: 0, low: 0, negligible: 0, unknown: 0, fixable: 0, exploited: 0 };
      const given = { ...found, is_partial: 0, data_state: "current" } as const;

      await putFindingCounts(registry.store.db, { manifestId, counts: given, at: now - 1, dueAt: now });
      const after = await counts();
      await putFindingCounts(registry.store.db, { manifestId, counts: given, at: now + 1, dueAt: now });

      expect(after).toMatchObject([{ high: 1 }]);
      expect(await counts()).toMatchObject([{ high: 9, counted_at: now + 1 }]);
    });
  },
);
