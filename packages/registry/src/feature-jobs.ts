import type { AnyJobKind } from "@plimsoll/store";
import { runBuildJob } from "./builds/jobs.ts";
import { emitExpirationsJob } from "./events/expiration-job.ts";
import { deliverNotificationJob } from "./events/jobs.ts";
import { pruneNamespaceJob } from "./lifecycle/pruning/jobs.ts";
import { exportLogsJob, mailExportFailureJob } from "./logs/jobs.ts";
import { countFindingsJob, deleteReportsJob, rescanJob } from "./security/jobs.ts";
import { keepTrendJob } from "./security/namespace-security/jobs.ts";
import { scanManifestJob } from "./security/scan-manifest-job.ts";
import type { Features } from "./settings.ts";
import { syncMirrorJob } from "./sources/mirrors/jobs.ts";
import { discoverRepositoriesJob } from "./sources/organization-mirrors/jobs.ts";
import { cacheImageJob, deletePullsJob } from "./sources/proxy-caches/jobs.ts";

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
