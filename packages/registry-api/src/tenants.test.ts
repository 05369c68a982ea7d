import { runBuildJob } from "@plimsoll/registry/builds/jobs";
import { deliverNotificationJob } from "@plimsoll/registry/events/deliver-event";
import { collectRepositoryJob } from "@plimsoll/registry/lifecycle/collection/jobs";
import { exportLogsJob, mailExportFailureJob } from "@plimsoll/registry/logs/jobs";
import { scanManifestJob } from "@plimsoll/registry/security/scan-queue";
import { syncMirrorJob } from "@plimsoll/registry/sources/mirrors/jobs";
import { enqueueJob, type JobKind, type NewJob, newJobs, type RunnableJob, runNextJob } from "@plimsoll/store";
import { engineTitle, fakeTime, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "./fixtures/test-registry.ts";

interface Row {
  readonly kind: Pick<JobKind<never>, "kind" | "hasTenants">;
  readonly of: (namespaceId: string, id: string, runAt?: number) => NewJob;
  /** The first jobs of two namespaces are among so many that run. */
  readonly within: number;
  /** How long the jobs are to wait. */
  readonly delayMs?: number;
}

const exported = { repositoryId: null, startAt: 0, endAt: 1, url: null, email: null };

/** The kinds whose work belongs to a namespace. */
const rows: readonly Row[] = [
  {
    kind: scanManifestJob,
    of: (namespaceId, manifestId) => scanManifestJob.of({ manifestId, namespaceId }),
    within: 2,
  },
  {
    kind: scanManifestJob,
    of: (namespaceId, manifestId, runAt = 0) => scanManifestJob.of({ manifestId, namespaceId }, { runAt }),
    within: 12, // those that were to wait get their places a hundred at a time; the last shares its round with the other
    delayMs: 30_000,
  },
  {
    kind: collectRepositoryJob,
    of: (namespaceId, repositoryId) => collectRepositoryJob.of({ repositoryId, namespaceId }),
    within: 2,
  },
  {
    kind: syncMirrorJob,
    of: (namespaceId, repositoryId) => syncMirrorJob.of({ repositoryId, namespaceId }),
    within: 2,
  },
  { kind: runBuildJob, of: (namespaceId, buildId) => runBuildJob.of({ buildId, namespaceId }), within: 2 },
  {
    kind: exportLogsJob,
    of: (namespaceId, exportId) => exportLogsJob.of({ ...exported, exportId, namespaceId }),
    within: 2,
  },
  {
    kind: mailExportFailureJob,
    of: (namespaceId, exportId) => mailExportFailureJob.of({ ...exported, exportId, namespaceId }),
    within: 2,
  },
  {
    kind: deliverNotificationJob,
    of: (namespace, notificationId) => deliverNotificationJob.of({ notificationId, event: { namespace } }),
    within: 2,
  },
];

const waiting = 1_000;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "namespaces on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(rows)(
      "take turns: 1,000 jobs of $kind.kind of one do not hold up another, $delayMs",
      async ({ kind, of, within, delayMs = 0 }) => {
        await using registry = await openTestRegistry({ engine });
        const { db } = registry.store;
        const time = fakeTime();
        const runAt = time.clock.now() + delayMs;
        const large = Array.from({ length: waiting }, (_, number) => of("large", `large-${number}`, runAt));
        while (large.length > 0) await newJobs(db, large.splice(0, 250), time.clock)?.execute();
        await enqueueJob(db, of("small", "small-0", runAt), time.clock);
        time.advance(delayMs);
        const tenants: string[] = [];
        const runnable: RunnableJob = { ...kind, run: async ({ job }) => void tenants.push(job.tenant) };

        while (tenants.length < within) await runNextJob({ store: registry.store, jobs: [runnable], ...time });

        expect(new Set(tenants)).toEqual(new Set(["large", "small"]));
      },
    );
  },
);
