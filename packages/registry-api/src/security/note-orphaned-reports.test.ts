import { type Digest, parseDigest } from "@plimsoll/core/digest";
import type { ImageScanner } from "@plimsoll/registry/ports/scanning";
import { noteOrphanedReports } from "@plimsoll/registry/security/delete-reports";
import { deleteReportsJob } from "@plimsoll/registry/security/jobs";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import type { TestDistribution } from "../fixtures/test-distribution.ts";
import { reportingScanner } from "./fixtures/reporting-scanner.ts";

const never = new AbortController().signal;
const dayMs = 86_400_000;
const digestOf = (number: number) => parseDigest(`sha256:${number.toString(16).padStart(64, "0")}`);

/** A scanner that has reports, and lists them in pages where it is the registry's alone. */
function openScanner(reports: readonly Digest[], { pageLength = 2, isShared = false } = {}) {
  const { known, scanner: unlisted } = reportingScanner(reports);
  const pages: string[] = [];
  const scanner: ImageScanner = {
    ...unlisted,
    ...(!isShared && {
      async list(after) {
        pages.push(after);
        const rest = [...known].sort().filter((digest) => digest > after);
        return rest.slice(0, pageLength);
      },
    }),
  };
  return { known, pages, scanner };
}

function optionsOf({ store, registry }: TestDistribution, scanner: ImageScanner) {
  return { store, scanner, clock: { now: () => registry.time.now } };
}

onEachEngine("noteOrphanedReports", (test) => {
  test("has the reports forgotten of images that no repository has and no log names", async (world) => {
    const { digest: kept } = await world.pushImage("alice/images", "latest");
    const { known, scanner } = openScanner([digestOf(1), digestOf(2), parseDigest(kept), digestOf(3)]);
    const job = deleteReportsJob.withContext(optionsOf(world, scanner));

    await job.run({ job: {}, signal: never } as never);

    expect([...known]).toEqual([kept]);
  });

  test("forgets nothing of a scanner that has other clients", async (world) => {
    const { known, scanner } = openScanner([digestOf(1)], { isShared: true });
    const job = deleteReportsJob.withContext(optionsOf(world, scanner));

    await job.run({ job: {}, signal: never } as never);

    expect([...known]).toEqual([digestOf(1)]);
  });

  test("looks at so many images in one call, goes on where it was stopped, and starts again a day later", async (world) => {
    const reports = Array.from({ length: 120 }, (_, index) => digestOf(index));
    const { pages, scanner } = openScanner(reports);
    const options = optionsOf(world, scanner);
    const stopped = new AbortController();
    const stopping: ImageScanner = {
      ...scanner,
      async list(after) {
        if (after === digestOf(5)) stopped.abort();
        return (await scanner.list(after)) ?? [];
      },
    };

    await expect(noteOrphanedReports(optionsOf(world, stopping), stopped.signal)).rejects.toThrow("aborted");
    const resumedAt = pages.length;
    const counts = [await noteOrphanedReports(options, never), await noteOrphanedReports(options, never)];
    const paused = await noteOrphanedReports(options, never);
    world.registry.time.now += dayMs;
    const later = await noteOrphanedReports(options, never);

    expect(pages[resumedAt]).toBe(digestOf(7));
    expect([...counts, paused, later]).toEqual([100, 12, 0, 100]);
    const noted = await world.store.db.selectFrom("collected_image").select("digest").orderBy("digest").execute();
    expect(noted.map(({ digest }) => digest)).toEqual(reports);
  });
});
