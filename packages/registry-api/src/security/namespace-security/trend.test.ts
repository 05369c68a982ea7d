import type { AccountRow, ImageRepository } from "@plimsoll/registry/access/queries";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { countScan, storeCounts } from "@plimsoll/registry/security/count-findings";
import { keepTrend } from "@plimsoll/registry/security/namespace-security/keep-trend";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type Call, openTestRegistry, type TestRegistry } from "../../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../../fixtures/test-reports.ts";
import { putManifest, putRepository, putTag } from "../../fixtures/test-repositories.ts";

const day = 86_400_000;
const signal = new AbortController().signal;
const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest: `sha256:${"a".repeat(64)}`, size: 1 };
const scanned = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage } as const;
const nothing = {
  ...scanned,
  report: { ...vulnerabilityReport, vulnerabilities: {}, package_vulnerabilities: {} },
} as const;

const imageScanner: ImageScanner = {
  ...basicScanner,
  state: async () => "one",
  index: async () => {},
  find: async () => scanned,
};

/** A name that only advisories of other packages have, and what they call it besides. */
const elsewhere = { asked: "PYSEC-2023-99", names: ["PYSEC-2023-99", "CVE-2023-5678", "GHSA-c2qf-rxjj-qqgw"] };

let images = 0;

/** An image under a tag whose scan found something. */
async function putImage(registry: TestRegistry, repository: ImageRepository, tag: string) {
  const image = await putManifest(registry, repository, { content: { layers: [{ ...layer, size: ++images }] } });
  const scan = { state: "scanned", reason: null, attempts: 1, index_state: "one", changed_at: 0 } as const;
  await registry.store.db
    .insertInto("manifest_scan")
    .values({ manifest_id: image.id, ...scan })
    .execute();
  await putTag(registry, repository, { name: tag, manifest: image });
  return image;
}

/** Stores what was found in an image at the registry's time. */
async function find({ store, time }: TestRegistry, manifestId: string, outcome: typeof scanned | typeof nothing) {
  const report = { ...outcome, usedRules: [], until: Number.POSITIVE_INFINITY };
  const counted = await countScan(report, time.now);
  await store.transaction((db) => storeCounts(db, manifestId, counted));
}

/** Calls in a session that has just begun, whatever the time. */
const callerOf =
  (registry: TestRegistry, account: AccountRow): Call =>
  async (...given) =>
    (await registry.session(account))(...given);

const keep = ({ store, time }: TestRegistry) => keepTrend(store.db, { now: time.now, signal });

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "the security of namespaces over time on $title",
  ({ engine }) => {
    const test = (title: string, run: (registry: TestRegistry) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using registry = await openTestRegistry({ engine, ports: { imageScanner } });
        registry.time.now = Date.parse("2026-11-01T12:00:00Z");
        await run(registry);
      });

    test("is stored for the days on which it changed, and shown for each day", async (registry) => {
      const { time, store } = registry;
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const image = await putImage(registry, app, "1");
      const call = callerOf(registry, alice);
      expect((await call("GET", "/user/security/trend")).body.days).toEqual([]);

      await find(registry, image.id, scanned);
      for (let hours = 0; hours < 3; hours++) await keep(registry);
      time.now += 2 * day;
      await keep(registry);
      await find(registry, image.id, nothing);
      await keep(registry);
      time.now += day;

      const { days } = (await call("GET", "/user/security/trend?days=5")).body;
      expect(days.map((each: TrendDay) => [each.day, each.severities.high, each.severities.low, each.images])).toEqual([
        ["2026-11-01", 1, 1, 1],
        ["2026-11-02", 1, 1, 1],
        ["2026-11-03", 0, 0, 1],
        ["2026-11-04", 0, 0, 1],
      ]);
      expect((await store.db.selectFrom("daily_finding_count").select("day").execute()).length).toBe(2);
      const latest = (await call("GET", "/user/security/trend?days=2")).body.days;
      expect(latest.map((each: TrendDay) => each.day)).toEqual(["2026-11-03", "2026-11-04"]);
    });

    test("counts images of which nothing is known, and forgets what is older than a year", async (registry) => {
      const { time, store } = registry;
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const image = await putImage(registry, app, "1");
      await keep(registry);
      const call = callerOf(registry, alice);
      expect((await call("GET", "/user/security/trend")).body.days).toMatchObject([{ images: 1, uncounted: 1 }]);

      for (const outcome of [scanned, nothing, scanned]) {
        time.now += 300 * day;
        await find(registry, image.id, outcome);
        await keep(registry);
      }

      const stored = await store.db.selectFrom("daily_finding_count").select("day").orderBy("day").execute();
      expect(stored.length).toBe(3); // the last of those that are older still holds on the first day
    });

    test("shows no caller what is private to others", async (registry) => {
      const [alice, mallory] = [await registry.user("alice"), await registry.user("mallory")];
      await registry.organization("acme", { member: [mallory], admin: [alice] });
      const owner = await registry.session(alice);
      await owner("POST", "/repository", {
        namespace: "acme",
        repository: "app",
        visibility: "private",
        description: "",
      });
      const row = await registry.store.db.selectFrom("image_repository").selectAll().executeTakeFirstOrThrow();
      const app = { ...row, namespace: "acme", namespaceId: row.namespace_id } as unknown as ImageRepository;
      const image = await putImage(registry, app, "1");
      for (const outcome of [nothing, scanned]) await find(registry, image.id, outcome);
      await keep(registry);
      const stranger = await registry.session(mallory);

      const trend = "/organization/acme/security/trend";
      expect((await owner("GET", trend)).body.days).toHaveLength(1);
      expect((await stranger("GET", trend)).body.days).toEqual([]);
      expect((await owner("GET", "/security/new")).body.images).toHaveLength(1);
      expect((await stranger("GET", "/security/new")).body.images).toEqual([]);
      expect((await owner("GET", "/security/vulnerability?vulnerability=cve-2022-25883")).body.affected).toHaveLength(
        1,
      );
      const toStranger = await stranger("GET", "/security/vulnerability?vulnerability=cve-2022-25883");
      expect(toStranger.body).toMatchObject({ affected: [], total: 0 });
    });

    test("tells in which images vulnerabilities were found lately, by their own names", async (registry) => {
      const { time } = registry;
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const image = await putImage(registry, app, "1");
      const call = callerOf(registry, alice);
      await find(registry, image.id, nothing);
      await find(registry, (await putImage(registry, app, "2")).id, scanned); // a first scan tells nothing new
      time.now += 5 * day;
      expect((await call("GET", "/security/new")).body.images).toEqual([]);

      await find(registry, image.id, scanned);

      const { images: news } = (await call("GET", "/security/new")).body;
      expect(news).toMatchObject([
        {
          ...{ repository: "alice/app", manifest_digest: image.digest, tags: ["1"], count: 2 },
          vulnerabilities: [
            { name: "GHSA-c2qf-rxjj-qqgw", severity: "High" },
            { name: "CVE-2023-5678", severity: "Low" },
          ],
          severities: { high: 1, low: 1 },
        },
      ]);
      time.now += 2 * day;
      expect((await call("GET", "/security/new")).body.images).toEqual([]);
      await find(registry, image.id, scanned);
      expect((await call("GET", "/security/new")).body.images).toEqual([]);
      expect((await call("GET", "/security/new?hours=168")).body.images).toHaveLength(1);
    });

    test("tells how long vulnerabilities have been known: since they were found, or since the image was there", async (registry) => {
      const { time, store } = registry;
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const [old, fresh] = [await putImage(registry, app, "1"), await putImage(registry, app, "2")];
      await store.db.updateTable("image_manifest").set({ created_at: time.now }).execute();
      await find(registry, old.id, scanned);
      await find(registry, fresh.id, nothing);
      time.now += 20 * day;
      await find(registry, fresh.id, scanned);
      const call = callerOf(registry, alice);
      const ages = async () => {
        const { body } = await call("GET", "/user/security/ages");
        return body.ages.map((each: Aged) => [each.under_days, each.severities.high, each.severities.low]);
      };

      expect(await ages()).toEqual([
        ...[
          [7, 1, 1],
          [30, 1, 1],
          [90, 0, 0],
          [null, 0, 0],
        ],
      ]);
      time.now += 80 * day;
      expect(await ages()).toEqual([
        ...[
          [7, 0, 0],
          [30, 0, 0],
          [90, 1, 1],
          [null, 1, 1],
        ],
      ]);
    });

    test("orders the images that have a vulnerability, and says how many there are, each once", async (registry) => {
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const severe = ["Critical", "Low", "Medium"] as const;
      for (const [at, normalized_severity] of severe.entries()) {
        const [low] = [vulnerabilityReport.vulnerabilities["1"]];
        if (low === undefined) throw new Error("the report of the tests has it");
        const vulnerabilities = { ...vulnerabilityReport.vulnerabilities, "1": { ...low, normalized_severity } };
        const report = { ...vulnerabilityReport, vulnerabilities };
        await find(registry, (await putImage(registry, app, `${at}`)).id, { ...scanned, report });
      }
      const call = callerOf(registry, alice);
      const ask = async (query: string) =>
        (await call("GET", `/security/vulnerability?vulnerability=CVE-2023-5678&${query}`)).body;
      const severitiesBy = async (query: string) =>
        (await ask(query)).affected.map(({ severity }: { severity: string }) => severity);
      const digestsBy = async (query: string) =>
        (await ask(query)).affected.map(({ manifest_digest: digest }: { manifest_digest: string }) => digest);

      expect(await severitiesBy("order=-severity")).toEqual(["Critical", "Medium", "Low"]);
      expect(await severitiesBy("order=severity&limit=2")).toEqual(["Low", "Medium"]);
      expect(await severitiesBy("order=severity&limit=2&page=2")).toEqual(["Critical"]);
      const digests = await digestsBy("");
      expect(digests).toEqual(digests.toSorted());
      expect(await digestsBy("order=-image")).toEqual(digests.toReversed());
      expect(await ask("limit=1")).toMatchObject({ total: 3, has_additional: true });
      imageScanner.names = async () => elsewhere.names; // all images have two of the names
      expect(await severitiesBy("order=-severity")).toEqual(["Critical", "High", "High"]);
      expect(await ask("order=-severity")).toMatchObject({ total: 3, has_additional: false });
      imageScanner.names = () => Promise.reject(new Error("away"));
    });

    test("says what a vulnerability is, which images have it and what fixes it, by any of its names", async (registry) => {
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const image = await putImage(registry, app, "1");
      await find(registry, image.id, scanned);
      const call = callerOf(registry, alice);
      const ask = async (name: string) => (await call("GET", `/security/vulnerability?vulnerability=${name}`)).body;

      expect(await ask("CVE-2023-5678")).toMatchObject({
        vulnerability: {
          name: "CVE-2023-5678",
          description: "Checking excessively long keys is slow.",
          severity: "Low",
        },
        affected: [
          {
            ...{ repository: "alice/app", tags: ["1"], severity: "Low", fixable: true },
            packages: [{ name: "libssl3", version: "3.0.11-1~deb12u1", fixed_by: "3.0.13-1~deb12u1" }],
          },
        ],
      });
      expect(await ask("cve-2022-25883")).toMatchObject({ vulnerability: { name: "GHSA-c2qf-rxjj-qqgw", cvss: 7.5 } });
      expect((await ask(elsewhere.asked)).affected).toEqual([]);
      imageScanner.names = async (asked) => (asked === elsewhere.asked ? elsewhere.names : [asked]);
      expect(await ask(elsewhere.asked)).toMatchObject({
        vulnerability: { name: expect.stringMatching(/^(?:CVE-2023-5678|GHSA-c2qf-rxjj-qqgw)$/) },
        affected: [{ repository: "alice/app", severity: "High", fixable: true, packages: [{}, {}] }],
      });
      expect((await call("GET", `/user/security/images?vulnerability=${elsewhere.asked}`)).body).toMatchObject({
        affected: [{ repository: "alice/app", severity: "High", fixable: true }],
        ...{ images: 1, uncounted: 0 },
      });
      imageScanner.names = () => Promise.reject(new Error("away"));
      expect((await ask("CVE-2023-5678")).affected).toHaveLength(1);
      expect(await ask("CVE-1999-0001")).toMatchObject({ vulnerability: null, affected: [] });
    });
  },
);

interface Aged {
  readonly under_days: number | null;
  readonly severities: { readonly high: number; readonly low: number };
}

interface TrendDay {
  readonly day: string;
  readonly severities: { readonly high: number; readonly low: number };
  readonly images: number;
}
