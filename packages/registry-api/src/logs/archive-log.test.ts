import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkedBlobs } from "@plimsoll/registry/content/storage/linked-blobs";
import { archiveLog, entriesPerArchive, readArchivedLog } from "@plimsoll/registry/logs/archive-log";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { writeUsageLogs } from "@plimsoll/registry/store/usage-log";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const dayMs = 86_400_000;
const { signal } = new AbortController();

class Killed extends Error {}

/** A registry with entries of the days 0, 1, 2 …, as many as asked for on each. */
async function openLog(engine: TestEngine, perDay: readonly number[]) {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-archives-"));
  resources.defer(() => rm(folder, { recursive: true }));
  const blobs = createFileBlobStore(folder, { sync: async () => {} });
  const registry = resources.use(await openTestRegistry({ engine }));
  const { store, time } = registry;
  const startAt = time.now;
  for (const [day, count] of perDay.entries()) {
    const at = startAt + day * dayMs;
    const entries = Array.from({ length: count }, (_, index) => {
      const metadata = { repo: `r${day}-${index}`, note: "é" };
      return { kind: "pull_repo", metadata, principal: { kind: "anonymous" }, at: at + index } as const;
    });
    for (let first = 0; first < count; first += 500) await writeUsageLogs(store.db, entries.slice(first, first + 500));
  }
  time.now = startAt + perDay.length * dayMs;
  const clock = { now: () => time.now };
  const archive = (logRetentionDays: number | undefined, through: Partial<BlobStore> = {}) => {
    const settings = logRetentionDays === undefined ? {} : { logRetentionDays };
    return archiveLog({ store, blobs: { ...blobs, ...through }, clock, settings }, signal);
  };
  const owned = resources.move();
  return {
    store,
    blobs,
    archive,
    /** The repositories of the entries that are left, in order. */
    async left() {
      const rows = await store.db.selectFrom("usage_log").select("metadata").orderBy("at").execute();
      return rows.map(({ metadata }) => (JSON.parse(metadata) as { repo: string }).repo);
    },
    async archived() {
      let text = "";
      const decoder = new TextDecoder();
      for await (const bytes of readArchivedLog(store, blobs)) text += decoder.decode(bytes, { stream: true });
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.map((line) => (JSON.parse(line) as { metadata: { repo: string } }).metadata.repo);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "archiveLog on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("moves what is older than the retention, and nothing without one", async () => {
      await using log = await openLog(engine, [2, 1, 1, 1]);

      await log.archive(undefined);
      const before = await log.left();
      await log.archive(3);
      await log.archive(3);

      expect(before).toHaveLength(5);
      expect(await log.archived()).toEqual(["r0-0", "r0-1"]);
      expect(await log.left()).toEqual(["r1-0", "r2-0", "r3-0"]);
    });

    test("writes large logs in parts that backups know", async () => {
      await using log = await openLog(engine, [entriesPerArchive + 2, 0, 0, 0]);

      await log.archive(3);

      expect(await log.left()).toEqual([]);
      expect(new Set(await log.archived()).size).toBe(entriesPerArchive + 2);
      const known = [];
      for await (const { digest, sizeBytes } of linkedBlobs(log.store.db)) known.push([digest, sizeBytes]);
      expect(known).toHaveLength(2);
      for (const [digest, sizeBytes] of known) expect(await log.blobs.find(digest as never)).toBe(sizeBytes);
    });

    const killed = () => Promise.reject(new Killed());
    test.each<{ when: string; through: (blobs: BlobStore) => Partial<BlobStore> }>([
      { when: "before its file is uploaded", through: () => ({ append: killed }) },
      { when: "before its file is committed", through: () => ({ commit: killed }) },
      {
        when: "after its file is committed",
        through: (blobs) => ({
          commit: async (id, digest) => {
            await blobs.commit(id, digest);
            return killed();
          },
        }),
      },
    ])("loses nothing and tells nothing twice when killed $when", async ({ through }) => {
      await using log = await openLog(engine, [3, 0, 0, 0]);

      await expect(log.archive(3, through(log.blobs))).rejects.toThrow(Killed);
      const meanwhile = [await log.left(), await log.archived()];
      await Promise.allSettled([log.archive(3), log.archive(3)]); // one may have to be tried again
      await log.archive(3);

      expect(meanwhile).toEqual([["r0-0", "r0-1", "r0-2"], []]);
      expect(await log.archived()).toEqual(["r0-0", "r0-1", "r0-2"]);
      expect(await log.left()).toEqual([]);
    });

    test("reports a part that the blob store does not have", async () => {
      await using log = await openLog(engine, [1, 1]);
      await log.archive(1);
      for await (const { digest } of linkedBlobs(log.store.db)) await log.blobs.delete(digest);

      const reading = log.archived();

      await expect(reading).rejects.toMatchObject({ code: "not_found" });
    });

    test("begins a part again that has other entries by now", async () => {
      await using log = await openLog(engine, [3, 0, 0, 0]);
      await expect(log.archive(3, { commit: killed })).rejects.toThrow(Killed);
      const { until_at } = await log.store.db.selectFrom("log_archive").select("until_at").executeTakeFirstOrThrow();
      const late = { kind: "pull_repo", metadata: { repo: "late" }, principal: { kind: "anonymous" } } as const;
      await writeUsageLogs(log.store.db, [{ ...late, at: Number(until_at) - 1 }]);

      await log.archive(3);

      expect((await log.archived()).sort()).toEqual(["late", "r0-0", "r0-1", "r0-2"]);
      expect(await log.left()).toEqual([]);
    });
  },
);
