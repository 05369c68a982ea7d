/**
 * Two indexers, two matchers and two notifiers on one PostgreSQL, killed at random while clients submit manifests and feeds
 * change: in the end everything is there, once.
 */
import { listJobs } from "@plimsoll/store";
import { type BuiltImage, buildImage, buildLayer, engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { exchange } from "./support/exchange.ts";
import { debianRelease, debianTracker, dpkgStatus } from "./support/sample-image.ts";
import { type ClusterStore, type ScannerCluster, startCluster } from "./support/scanner-cluster.ts";
import { seededRandom } from "./support/seeded-random.ts";

type Tracker = Parameters<typeof debianTracker>[0];

/** Images come in groups; those of group N have the package `app-N`, of version 1. */
const imagesPerGroup = 50;

/**
 * What the feed says, one after another. Each speaks only of packages whose images were submitted before, so that what is to
 * be told does not depend on who is faster.
 */
const feed: readonly Tracker[] = [
  { "app-0": { "CVE-0-OLD": { urgency: "low" } } },
  { "app-0": { "CVE-0-OLD": { urgency: "low" }, "CVE-0-NEW": {}, "CVE-0-NONE": { fixed: "0" } } },
  {
    "app-0": { "CVE-0-OLD": { urgency: "high" }, "CVE-0-NEW": {}, "CVE-0-NONE": { fixed: "0.9" } },
    "app-1": { "CVE-1-NEW": { fixed: "2" }, "CVE-1-OTHER": {} },
  },
  {
    "app-0": { "CVE-0-OLD": { urgency: "high" }, "CVE-0-NEW": { fixed: "1" } },
    "app-1": { "CVE-1-NEW": { fixed: "3" } },
    "app-2": { "CVE-2-NEW": {} },
    "app-7": { "CVE-7-NEW": {} },
  },
];

/** What is to be told of each image of a group. */
const changes: readonly (readonly string[])[] = [
  ["added CVE-0-NEW", "removed CVE-0-OLD", "added CVE-0-OLD", "removed CVE-0-NEW"],
  ["added CVE-1-NEW", "added CVE-1-OTHER", "removed CVE-1-NEW", "added CVE-1-NEW", "removed CVE-1-OTHER"],
  ["added CVE-2-NEW"],
  [],
];

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_121);
const chances = { mostEvents: 30, mostKills: 40 };
const submittersAtOnce = 8;
const patience = { timeout: 120_000, interval: 100 };

const engine = testEngines.find(({ name }) => name === "PostgreSQL");
if (engine === undefined) throw new Error("the test engines have no PostgreSQL");

describe.skipIf(engine.skip !== undefined)(`six processes of plimsoll serve on ${engineTitle(engine)}`, () => {
  it(`lose nothing and tell everything once when they are killed at random (seed ${seed})`, async () => {
    await using database = await engine.create();
    await using cluster = await startCluster(database.location, { random: seededRandom(seed), ...chances });
    onTestFailed(() => void process.stderr.write(logOf(cluster)));
    const { processes, store, reaper } = cluster;
    const groups = await buildGroups();

    reaper.release(processes);
    for (const [number, group] of groups.entries()) {
      cluster.publish(debianTracker(feed[number] ?? {}), number);
      await Promise.all([submitAll(cluster, group), expectOperations(store, number + 1)]);
      if (number === 0) await expect.poll(() => countSeen(store), patience).toBe(1); // from here on changes are told
    }
    await reaper.retire();
    await expect.poll(() => setStates(store), patience).toEqual(["delivered", "delivered", "delivered"]);
    await Promise.all(processes.map((one) => one.listening()));

    expect(reaper.kills).toBeGreaterThan(20);
    await expectAllIndexed(cluster, groups.flat());
    expect(await told(store)).toEqual(expectedNotifications(groups));
    await expectDelivered(cluster);
    await expectNothingLeft(store);
    expect(processes.flatMap(({ crashes }) => crashes)).toEqual([]);
    expect(await Promise.all(processes.map((one) => one.stop()))).toEqual([0, 0, 0, 0, 0, 0]);
  }, 300_000);
});

function logOf({ processes }: ScannerCluster): string {
  return processes.flatMap(({ url, log }) => log.map((line) => `${url} ${line}\n`)).join("");
}

async function buildGroups(): Promise<readonly (readonly BuiltImage[])[]> {
  const release = await buildLayer({ "etc/os-release": debianRelease });
  const buildOne = async (group: number, index: number) => {
    const status = dpkgStatus(`app-${group} 1`, `only-${group}-${index} 1`);
    return buildImage({ layers: [release, await buildLayer({ "var/lib/dpkg/status": status })] });
  };
  return Promise.all(
    feed.map((_, group) =>
      Promise.all(Array.from({ length: imagesPerGroup }, (_each, index) => buildOne(group, index))),
    ),
  );
}

/** Submits images, several at a time; each until an indexer has answered. */
async function submitAll({ submit }: ScannerCluster, images: readonly BuiltImage[]): Promise<void> {
  const waiting = [...images];
  const submitter = async () => {
    for (let image = waiting.pop(); image !== undefined; image = waiting.pop()) {
      const { status, json } = await submit(image, waiting.length);
      expect([status, json]).toEqual([201, expect.objectContaining({ state: "IndexFinished", success: true })]);
    }
  };
  await Promise.all(Array.from({ length: submittersAtOnce }, submitter));
}

async function expectOperations(store: ClusterStore, count: number): Promise<void> {
  const operations = () => store.db.selectFrom("update_operation").select("ref").execute();
  await expect.poll(operations, patience).toHaveLength(count);
}

async function countSeen(store: ClusterStore): Promise<number> {
  return (await store.db.selectFrom("notified_operation").select("ref").execute()).length;
}

async function setStates(store: ClusterStore): Promise<readonly string[]> {
  return (await store.db.selectFrom("notification_set").select("state").execute()).map(({ state }) => state);
}

async function expectAllIndexed({ indexers: [indexer] }: ScannerCluster, images: readonly BuiltImage[]): Promise<void> {
  for (const { digest } of images) {
    const { json } = await exchange(`${indexer?.url}/indexer/api/v1/index_report/${digest}`);
    const { state, packages } = json as { readonly state: string; readonly packages: object };
    expect([state, Object.keys(packages).length]).toEqual(["IndexFinished", 2]);
  }
}

/** `MANIFEST REASON NAME` of every notification there is. */
async function told({ db }: ClusterStore): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("notification")
    .innerJoin("notified_vulnerability", (join) =>
      join
        .onRef("notified_vulnerability.set_id", "=", "notification.set_id")
        .onRef("notified_vulnerability.number", "=", "notification.vulnerability"),
    )
    .select(["manifest", "reason", "summary"])
    .execute();
  return rows.map(({ manifest, reason, summary }) => `${manifest} ${reason} ${JSON.parse(summary).name}`).sort();
}

function expectedNotifications(groups: readonly (readonly BuiltImage[])[]): readonly string[] {
  return groups
    .flatMap((group, number) =>
      group.flatMap(({ digest }) => (changes[number] ?? []).map((change) => `${digest} ${change}`)),
    )
    .sort();
}

/** Each set was told at least once, and nothing else. */
async function expectDelivered({ store, receiver }: ScannerCluster): Promise<void> {
  const sets = await store.db.selectFrom("notification_set").select("id").orderBy("id").execute();
  const called = new Set(receiver.calls.map(({ body }) => JSON.parse(body).notification_id));
  expect([...called].sort()).toEqual(sets.map(({ id }) => id));
}

async function expectNothingLeft(store: ClusterStore): Promise<void> {
  const jobs = await listJobs(store.db);
  expect(jobs.map(({ kind }) => kind).sort()).toEqual(["matcher.update-feeds", "notifier.expire", "notifier.poll"]);
  expect(jobs.filter(({ state }) => state === "dead")).toEqual([]);
  expect(await store.db.selectFrom("indexer_run").select("manifest_digest").execute()).toEqual([]);
}
