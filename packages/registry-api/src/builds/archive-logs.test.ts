import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { archiveBuildLogs, keptMs, readArchivedEntries } from "@plimsoll/registry/builds/archive-logs";
import { verifyBlobs } from "@plimsoll/registry/content/storage/copy-blobs";
import { linkedBlobs } from "@plimsoll/registry/content/storage/linked-blobs";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const { signal } = new AbortController();
const logs = Array.from({ length: 6000 }, (_, index) => ({ message: `line ${index} é` }));

class Killed extends Error {}

async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A repository with a build that has ended a while ago, and its log. */
async function openBuild(engine: TestEngine) {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-build-logs-"));
  resources.defer(() => rm(folder, { recursive: true }));
  const blobs = createFileBlobStore(folder, { sync: async () => {} });
  const registry = resources.use(await openTestRegistry({ engine, ports: { blobs } }));
  const { store, time } = registry;
  const alice = await registry.user("alice");
  const call = await registry.session(alice);
  await call("POST", "/repository", { namespace: "alice", repository: "app", visibility: "private", description: "" });
  const request = { archive_url: "https://example.com/app.tar.gz", tags: ["v1"] };
  const { id } = (await call("POST", "/repository/alice/app/build/", request)).body;
  await store.db
    .updateTable("build")
    .set({ phase: "complete", created_at: time.now - keptMs - 1 })
    .where("id", "=", id)
    .execute();
  const rows = logs.map((entry, position) => ({ build_id: id, position, entry: JSON.stringify(entry) }));
  for (let first = 0; first < rows.length; first += 500)
    await store.db
      .insertInto("build_log")
      .values(rows.slice(first, first + 500))
      .execute();
  const clock = { now: () => time.now };
  const archive = (through: Partial<BlobStore> = {}) =>
    archiveBuildLogs({ store, blobs: { ...blobs, ...through }, clock }, signal);
  const files = async () => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    return names.filter((each) => each.isFile()).map(({ name }) => name);
  };
  const owned = resources.move();
  return {
    ...{ registry, store, blobs, call, id, archive, files, time, clock },
    read: async (start = 0) => (await call("GET", `/repository/alice/app/build/${id}/logs?start=${start}`)).body,
    left: async () => (await store.db.selectFrom("build_log").select("position").execute()).length,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe("readArchivedEntries", () => {
  it.each(["whole", "damaged behind them"])(
    "reads a few entries and no more of a file that is %s, and closes it",
    async (state) => {
      const entries = Array.from({ length: 50_000 }, (_, index) => JSON.stringify({ index, id: randomUUID() }));
      const file = gzipSync(["{}", ...entries].map((line) => `${line}\n`).join(""));
      if (state !== "whole") file.fill(0, 200_000);
      const seen = { bytes: 0, isClosed: false };
      async function* read() {
        try {
          for (; seen.bytes < file.length; seen.bytes += 4096) yield file.subarray(seen.bytes, seen.bytes + 4096);
        } finally {
          seen.isClosed = true;
        }
      }

      const found = await readArchivedEntries(
        { read },
        { digest: `sha256:${"a".repeat(64)}` },
        { start: 10, limit: 2 },
      );

      expect(found).toEqual(entries.slice(10, 12));
      await expect.poll(() => seen.isClosed).toBe(true);
      expect(seen.bytes).toBeLessThan(file.length / 2);
    },
  );
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "archiveBuildLogs on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("moves the log of a build into the blob store, where the same operation reads it", async () => {
      await using build = await openBuild(engine);

      await build.archive();

      expect(await build.left()).toBe(0);
      expect(await build.files()).toHaveLength(1);
      expect(await build.read()).toEqual({ start: 0, total: 6000, logs: logs.slice(0, 5000) });
      expect(await build.read(5990)).toEqual({ start: 5990, total: 6000, logs: logs.slice(5990) });
      expect(await build.read(7000)).toEqual({ start: 7000, total: 6000, logs: [] });
    });

    test.each([
      ["of a build that runs", { phase: "building" as const }],
      ["of a build that has just ended", { created_at: 4_000_000_000_000 }],
    ])("leaves the log %s", async (_, change) => {
      await using build = await openBuild(engine);
      await build.store.db.updateTable("build").set(change).execute();

      await build.archive();

      expect([await build.left(), await build.files()]).toEqual([6000, []]);
      expect((await build.read(5999)).logs).toEqual(logs.slice(5999));
    });

    test.each<[string, (blobs: BlobStore) => Partial<BlobStore>]>([
      ["before the file is written", () => ({ append: async () => Promise.reject(new Killed()) })],
      ["before the file is committed", () => ({ commit: async () => Promise.reject(new Killed()) })],
      [
        "before the entries are removed",
        (blobs) => ({
          commit: async (...given) => {
            await blobs.commit(...given);
            throw new Killed();
          },
        }),
      ],
    ])("loses nothing, and leaves nothing behind, when its process dies %s", async (_, through) => {
      await using build = await openBuild(engine);

      await expect(build.archive(through(build.blobs))).rejects.toThrow(Killed);
      expect((await build.read(5999)).logs).toEqual(logs.slice(5999));
      await build.archive();

      expect([await build.left(), (await build.files()).length]).toEqual([0, 1]);
      expect((await build.read(5999)).logs).toEqual(logs.slice(5999));
    });

    test("begins again where the log has grown since a process died", async () => {
      await using build = await openBuild(engine);
      await expect(
        build.archive({ deleteUpload: async () => {}, find: () => Promise.reject(new Killed()) }),
      ).rejects.toThrow(Killed);
      const late = { build_id: build.id, position: 6000, entry: JSON.stringify({ message: "late" }) };
      await build.store.db.insertInto("build_log").values(late).execute();

      await build.archive();
      await build.archive();

      expect((await build.read(5999)).logs).toEqual([...logs.slice(5999), { message: "late" }]);
      expect(await build.files()).toHaveLength(1);
    });

    test("deletes the file of a build that is deleted with its repository", async () => {
      await using build = await openBuild(engine);
      await build.archive();

      await build.call("DELETE", "/repository/alice/app");
      build.time.now += 400 * 86_400_000;
      await listOf(collectGarbage({ store: build.store, blobs: build.blobs, now: build.time.now, since: 0 }));
      await build.archive();

      expect(await build.files()).toEqual([]);
      expect(await build.store.db.selectFrom("build_log_archive").select("id").execute()).toEqual([]);
    });

    test("writes files that are verified and copied with the blobs, and reports a missing one", async () => {
      await using build = await openBuild(engine);
      await build.archive();
      const verify = () => listOf(verifyBlobs({ db: build.store.db, blobs: build.blobs }));
      const listed = await listOf(linkedBlobs(build.store.db));
      expect(listed).toHaveLength(1);
      expect(await verify()).toEqual([]);

      for (const { digest } of listed) await build.blobs.delete(digest);

      expect(await verify()).toMatchObject([{ problem: "it is missing", repositories: ["alice/app"] }]);
      const answer = await build.call("GET", `/repository/alice/app/build/${build.id}/logs`);
      expect([answer.status, answer.body.error_type]).toEqual([400, "invalid_response"]);
    });

    test("makes files that no user can push", async () => {
      await using one = await openBuild(engine);
      await using other = await openBuild(engine);

      await Promise.all([one.archive(), other.archive()]);

      expect(await one.files()).not.toEqual(await other.files());
    });
  },
);
