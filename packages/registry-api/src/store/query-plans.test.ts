import { DatabaseSync } from "node:sqlite";
import { findAccount } from "@plimsoll/registry/access/queries";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import { basicScanner } from "@plimsoll/registry/ports/scanning";
import { queueRescans } from "@plimsoll/registry/security/jobs";
import { job, runDueJobs, systemTime } from "@plimsoll/store";
import { memoryTestEngine } from "@plimsoll/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";

/** A job that waits for nothing. */
const nothing = job({ kind: "test.nothing", handle: async () => {} });

const subject = `sha256:${"5".repeat(64)}`;
const span = "starttime=01/01/2026&endtime=01/20/2026";

async function manage({ registry, store }: TestDistribution, path: string): Promise<void> {
  const alice = await findAccount(store.db, "alice");
  if (alice === undefined) throw new Error("there is no alice");
  await (await registry.session(alice))("GET", path);
}

async function work({ store, registry }: TestDistribution): Promise<void> {
  const clock = { now: () => registry.time.now };
  await runDueJobs({ store, jobs: [nothing.withContext(undefined)], clock, random: () => 0, sleep: systemTime.sleep });
}

async function collect({ store, blobs, registry }: TestDistribution): Promise<void> {
  for await (const _ of collectGarbage({ store, blobs, now: registry.time.now, since: 0 }));
}

async function rescan({ store, registry }: TestDistribution): Promise<void> {
  const unused = () => Promise.reject(new Error("not called in this test"));
  const scanner = { ...basicScanner, state: async () => "one", index: unused, find: unused };
  const { time } = registry;
  await queueRescans({ store, scanner, clock: { now: () => time.now } }, new AbortController().signal);
}

/** What is asked, and how SQLite is to look something up for it: by an index that leads to what is answered. */
const rows: readonly { what: string; ask: (world: TestDistribution) => Promise<unknown>; plan: RegExp }[] = [
  {
    what: "a manifest by its tag",
    ask: ({ send }) => send("GET", "alice/images/manifests/latest"),
    plan: /^(?!.*tag_start).*SEARCH tag USING INDEX \w+ \(repository_id=\? AND name=\?/s,
  },
  {
    what: "the catalog",
    ask: ({ send }) => send("GET", "_catalog"),
    plan: /SEARCH image_repository USING INDEX \w+ \(namespace_id=\? AND name>\?\)/,
  },
  {
    what: "referrers",
    ask: ({ send }) => send("GET", `alice/images/referrers/${subject}`),
    plan: /image_manifest_referrer \(repository_id=\? AND subject=\? AND digest>\?\)/,
  },
  {
    what: "referrers of a type",
    ask: ({ send }) => send("GET", `alice/images/referrers/${subject}?artifactType=application/rare`),
    plan: /image_manifest_subject \(repository_id=\? AND subject=\? AND <expr>=\? AND digest>\?\)/,
  },
  { what: "whom a name begins", ask: (world) => manage(world, "/entities/a"), plan: /account_name \(username>\?/ },
  {
    what: "the log of a performer",
    ask: (world) => manage(world, `/user/logs?performer=alice&${span}`),
    plan: /usage_log_performer \(performer_name=\? AND at>\? AND at<\?\)/,
  },
  {
    what: "the log counted by day",
    ask: (world) => manage(world, `/user/aggregatelogs?${span}`),
    plan: /COVERING INDEX usage_log_namespace \(namespace_id=\? AND at>\? AND at<\?\)/,
  },
  {
    what: "an organization",
    ask: (world) => manage(world, "/organization/acme"),
    plan: /team_permission_team \(team_id=\? AND repository_id=\?\)\n.*\n.*INDEX image_repository_deleted/,
  },
  {
    what: "who pushed tags",
    ask: (world) => manage(world, "/repository/alice/images/tag/?pushers=true"),
    plan: /usage_log_repository \(repository_id=\? AND at=\?\)/,
  },
  { what: "builds", ask: (world) => manage(world, "/repository/alice/images/build/"), plan: /build_repository/ },
  { what: "jobs that are due", ask: work, plan: /INDEX jobs_waiting \(kind=\? AND turn<\?\)/ },
  {
    what: "tags that have ended",
    ask: collect,
    plan: /tag USING INDEX tag_ended \(repository_id=\? AND end_at>\? AND end_at<\?\)/,
  },
  {
    what: "manifests of which some are loose",
    ask: collect,
    plan: /SEARCH manifest USING INDEX \w+ \(repository_id=\? AND digest>\? AND digest<\?\)/,
  },
  {
    what: "manifests that have lost their tag",
    ask: async (world) => {
      for (const tag of ["a", "b", "c", "d", "e", "f"]) await world.pushImage("alice/images", tag, { layer: tag });
      await world.store.db.updateTable("tag").set({ end_at: 1 }).execute();
      await collect(world);
    },
    plan: /SEARCH manifest USING INDEX \w+ \(id=\?\)/,
  },
  {
    what: "signatures that have outlived their image",
    ask: collect,
    plan: /SEARCH sibling USING INDEX tag_end \(repository_id=\? AND name>\? AND name<\?\)/,
  },
  { what: "images that wait to be read", ask: rescan, plan: /INDEX manifest_scan_queued \(changed_at<\?\)/ },
  {
    what: "images that were read by another scanner",
    ask: rescan,
    plan: /ended \(index_state=\? AND changed_at<\?\)\n.*ended \(index_state<\?\)\n.*ended \(index_state>\?\)/,
  },
];

describe("queries of SQLite", () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each(rows)("look $what up in an index", async ({ ask, plan }) => {
    await using world = await openTestDistribution({ engine: memoryTestEngine });
    // Not before: the statements of migrations name columns that later migrations remove.
    const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
    await world.pushImage("alice/images", "latest");
    const alice = await findAccount(world.store.db, "alice");
    await world.registry.organization("acme", { admin: alice === undefined ? [] : [alice] });

    await ask(world);

    const { calls, contexts } = prepare.mock;
    const prepared = calls.map(([text], index) => ({ text, database: contexts[index] }));
    prepare.mockRestore();
    expect(prepared.flatMap(({ text, database }) => planOf(database, text)).join("\n")).toMatch(plan);
  });
});

function planOf(database: unknown, text: string): readonly string[] {
  if (!(database instanceof DatabaseSync) || !/^\s*(select|with|update|delete)\b/i.test(text)) return [];
  return database
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail));
}
