import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { createImageWatch, type ImageChange } from "@plimsoll/registry/security/image-watch";
import { listJobs } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { putManifest, putRepository, putTag } from "../fixtures/test-repositories.ts";

const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest: `sha256:${"a".repeat(64)}`, size: 1 };
const noBlobs = {} as BlobStore; // nothing is attached
const { signal } = new AbortController();
const level = (each: string) => ({ level: each });

/** `NAME SEVERITY` of what a scanner finds now. */
function reportOf(findings: readonly string[]) {
  const [like] = Object.values(vulnerabilityReport.vulnerabilities);
  if (like === undefined) throw new Error("the report of the tests has vulnerabilities");
  const vulnerabilities = findings.map((finding, index) => {
    const [name = "", normalized_severity = ""] = finding.split(" ");
    return [`${index}`, { ...like, name, normalized_severity: normalized_severity as typeof like.normalized_severity }];
  });
  const [packageId = ""] = Object.keys(vulnerabilityReport.packages);
  const package_vulnerabilities = { [packageId]: findings.map((_, index) => `${index}`) };
  return { ...vulnerabilityReport, vulnerabilities: Object.fromEntries(vulnerabilities), package_vulnerabilities };
}

const changed = (findings: readonly string[]) =>
  findings.map((finding) => {
    const [name = "", severity = ""] = finding.split(" ");
    return { name, severity };
  });

interface Change {
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly cause?: ImageChange["cause"];
}

/** An image in a repository with notifications, by their names and what they want. */
async function openWatch(
  registry: TestRegistry,
  notifications: Readonly<Record<string, object>>,
  { tag = "1", isChild = false }: { readonly tag?: string | undefined; readonly isChild?: boolean } = {},
) {
  const { store, time, settings, pageAddress } = registry;
  const alice = await registry.user("alice");
  const repository = await putRepository(registry, { namespace: alice, name: "app" });
  const image = await putManifest(registry, repository, { content: { layers: [layer] } });
  const index = await putManifest(registry, repository, { content: { manifests: [] }, isIndex: true });
  await store.db.insertInto("finding_count").values({ manifest_id: image.id, due_at: 0 }).execute();
  const child = { manifest_id: index.id, child_id: image.id };
  if (isChild) await store.db.insertInto("manifest_child").values(child).execute();
  if (tag !== "") await putTag(registry, repository, { name: tag, manifest: isChild ? index : image });
  const call = await registry.session(alice);
  const names = new Map<string, string>();
  for (const [name, eventConfig] of Object.entries(notifications)) {
    const wanted = { event: "vulnerability_found", method: "webhook", config: { url: "https://hooks.example/x" } };
    const { body } = await call("POST", "/repository/alice/app/notification/", { ...wanted, eventConfig });
    names.set(body.uuid, name);
  }
  let found: readonly string[] = [];
  const scanner: ImageScanner = {
    ...basicScanner,
    state: async () => "one",
    index: async () => {},
    find: async () => ({ status: "scanned", report: reportOf(found), coverage: wholeCoverage }),
  };
  const clock = { now: () => time.now };
  const watch = createImageWatch({ store, scanner, blobs: noBlobs, clock, settings, pageAddress });
  const queued = async () => {
    const jobs = await listJobs(store.db, { kind: "registry.deliver-notification", limit: 1000 });
    const payloads = jobs.map(({ payload }) => payload as unknown as QueuedEvent);
    return payloads.sort((one, other) => (one.event.vulnerability.id < other.event.vulnerability.id ? -1 : 1));
  };
  return {
    alice,
    watch,
    digest: image.digest,
    find: (...findings: readonly string[]) => {
      found = findings;
    },
    tell: ({ added = [], removed = [], cause = "update" }: Change) =>
      watch.applyChange({ cause, digest: image.digest, added: changed(added), removed: changed(removed) }, { signal }),
    /** `NOTIFICATION VULNERABILITY` of each event in the queue, in order. */
    told: async () =>
      (await queued())
        .map(({ notificationId, event }) => `${names.get(notificationId)} ${event.vulnerability.id}`)
        .sort(),
    events: async () => (await queued()).map(({ event }) => event),
  };
}

interface QueuedEvent {
  readonly notificationId: string;
  readonly event: { readonly vulnerability: { readonly id: string } };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "createImageWatch on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);
    const open = () => openTestRegistry({ engine });

    test("tells nothing that a rule suppresses, until the rule ends", async () => {
      await using registry = await open();
      const { alice, find, tell, told } = await openWatch(registry, { all: {} });
      const call = await registry.session(alice);
      const expires = new Date(registry.time.now + 60_000).toISOString().replace(/\.\d+Z/, "Z");
      const rule = { vulnerability: "CVE-2026-1", reason: "not reachable", expires };
      expect((await call("POST", "/repository/alice/app/ignorerules", rule)).status).toBe(201);

      find("CVE-2026-1 High", "CVE-2026-2 High");
      await tell({ added: ["CVE-2026-1 High", "CVE-2026-2 High"] });
      expect(await told()).toEqual(["all CVE-2026-2"]);
      registry.time.now += 60_000;
      await tell({ added: ["CVE-2026-1 High"] });

      expect(await told()).toEqual(["all CVE-2026-1", "all CVE-2026-2"]);
    });

    test("tells each notification of what it wants, once", async () => {
      await using registry = await open();
      const { find, tell, told, events } = await openWatch(registry, {
        all: {},
        worst: level("0"),
        medium: level("2"),
      });
      find("A Critical", "B Medium", "C Low", "D High");
      const change = { added: ["A Critical", "B Medium", "C Low"] };

      await tell(change);
      await tell(change);

      expect(await told()).toEqual(["all A", "all B", "all C", "medium A", "medium B", "worst A"]);
      expect((await events())[0]).toMatchObject({ repository: "alice/app", tags: ["1"], vulnerability: { id: "A" } });
      expect((await events())[0]).not.toHaveProperty("vulnerable_index_report_created");
    });

    test.each<{ what: string; now: readonly string[]; change: Change; told: readonly string[] }>([
      {
        what: "nothing of an advisory whose words changed",
        now: ["A Low"],
        change: { added: ["A Low"], removed: ["A Low"] },
        told: [],
      },
      {
        what: "a severity that changed",
        now: ["A High"],
        change: { added: ["A High"], removed: ["A Low"] },
        told: ["all A"],
      },
      { what: "nothing of what is suppressed", now: [], change: { added: ["A High"] }, told: [] },
      { what: "nothing of what is gone", now: ["B High"], change: { removed: ["A High"] }, told: [] },
      {
        what: "the worst severity of a name",
        now: ["A Low", "A High"],
        change: { added: ["A Low", "A High"] },
        told: ["all A", "high A"],
      },
      {
        what: "of a new feed what a first scan tells",
        now: ["A High", "B Low"],
        change: { added: ["A High", "B Low"], cause: "feed" },
        told: ["all A", "high A"],
      },
    ])("tells $what", async ({ what, now, change, told: expected }) => {
      await using registry = await open();
      const notifications: Record<string, object> =
        what.includes("severity of") || change.cause ? { all: {}, high: level("1") } : { all: {} };
      const { find, tell, told } = await openWatch(registry, notifications);
      find(...now);

      await tell(change);

      expect(await told()).toEqual(expected);
    });

    test("tells what came back after it was gone, and not what an older change took away", async () => {
      await using registry = await open();
      const { find, tell, told } = await openWatch(registry, { all: {} });
      find("A High");
      await tell({ added: ["A High"] });
      await tell({ removed: ["A High"] }); // late: it has come back meanwhile
      await tell({ added: ["A High"] });
      const once = await told();
      find();
      await tell({ removed: ["A High"] });
      find("A High");
      await tell({ added: ["A High"] });

      expect(once).toEqual(["all A"]);
      expect(await told()).toEqual(["all A", "all A"]);
    });

    test.each([
      { what: "an image without tags", tag: "", isChild: false, events: 0 },
      { what: "an image that a tagged index lists", tag: "multi", isChild: true, events: 1 },
      { what: "an image in an index without tags", tag: "", isChild: true, events: 0 },
    ])("tells $events events of $what", async ({ tag, isChild, events: count }) => {
      await using registry = await open();
      const { find, tell, events } = await openWatch(registry, { all: {} }, { tag, isChild });
      find("A High");

      await tell({ added: ["A High"] });

      const queued = await events();
      expect(queued).toHaveLength(count);
      for (const event of queued) expect(event).toMatchObject({ tags: [tag] });
    });

    test("queues nothing twice where two processes tell the same at once", async () => {
      await using registry = await open();
      const { find, tell, told } = await openWatch(registry, { all: {} });
      const names = Array.from({ length: 600 }, (_, index) => `V${index} High`);
      find(...names);

      await Promise.all([tell({ added: names }), tell({ added: names })]);

      expect(await told()).toHaveLength(names.length);
    });

    test("filters the digests of images that were scanned for a repository", async () => {
      await using registry = await open();
      const { watch, digest } = await openWatch(registry, {});

      const asked = [await watch.isNeeded(), await watch.filter(["sha256:0", digest])];
      await registry.store.db.updateTable("image_manifest").set({ deleted_at: 1 }).execute();
      const deleted = await watch.filter([digest]);
      await registry.store.db.deleteFrom("finding_count").execute();

      expect([...asked, deleted]).toEqual([true, [digest], []]);
      expect(await watch.isNeeded()).toBe(false);
    });

    test.each<{ what: string; notifications: Record<string, object> }>([
      { what: "with a notification", notifications: { all: {} } },
      { what: "without a notification", notifications: {} },
    ])("counts again $what, also where only a fix came", async ({ notifications }) => {
      await using registry = await open();
      const { find, tell } = await openWatch(registry, notifications);
      const counts = () =>
        registry.store.db.selectFrom("finding_count").select(["critical", "high", "low"]).executeTakeFirst();

      find("A High", "B Low");
      await tell({ added: ["A High"] });
      const first = await counts();
      find("A Critical", "B Low");
      await tell({ added: ["B Low"], removed: ["B Low"] });

      expect(first).toEqual({ critical: 0, high: 1, low: 1 });
      expect(await counts()).toEqual({ critical: 1, high: 0, low: 1 });
    });
  },
);
