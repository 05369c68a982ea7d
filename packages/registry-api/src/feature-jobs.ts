import type { Features } from "@plimsoll/registry/settings";
import type { AnyJobKind } from "@plimsoll/store";
import { runBuildJob } from "./builds/jobs.ts";
import { emitExpirationsJob } from "./events/expiration-job.ts";
import { deliverNotificationJob } from "./events/jobs.ts";
import { exportLogsJob, mailExportFailureJob } from "./logs/jobs.ts";
import { syncMirrorJob } from "./mirrors/jobs.ts";
import { keepTrendJob } from "./namespace-security/jobs.ts";
import { discoverRepositoriesJob } from "./organization-mirrors/jobs.ts";
import { cacheImageJob, deletePullsJob } from "./proxy-caches/jobs.ts";
import { pruneNamespaceJob } from "./pruning/jobs.ts";
import { countFindingsJob, deleteReportsJob, rescanJob } from "./security/jobs.ts";
import { scanManifestJob } from "./security/scan-manifest-job.ts";

/** The kinds of jobs that only a feature needs. */
const jobsOfFeatures: Partial<Record<keyof Features, readonly AnyJobKind[]>> = {
  autoPrune: [pruneNamespaceJob],
  builds: [runBuildJob],
  logExport: [exportLogsJob, mailExportFailureJob],
  mirroring: [syncMirrorJob, discoverRepositoriesJob],
  proxyCache: [cacheImageJob, deletePullsJob],
  repositoryNotifications: [deliverNotificationJob, emitExpirationsJob],
  securityScanner: [scanManifestJob, rescanJob, countFindingsJob, deleteReportsJob, keepTrendJob],
};

/** The kinds of jobs that no worker runs because their features are off. Their jobs would stay in the queue for ever. */
export function refusedJobs(features: Partial<Features>): readonly AnyJobKind[] {
  return Object.entries(jobsOfFeatures).flatMap(([name, kinds]) =>
    features[name as keyof Features] === false ? kinds : [],
  );
}
