import { type AnyJobKind, every, type RunnableJob, type Schedule } from "@plimsoll/store";
import { checkDirectoryUsersEveryMs, checkDirectoryUsersJob } from "./accounts/external-logins/jobs.ts";
import { collectExpiredJob, measureSizeJob } from "./administration/jobs.ts";
import { archiveBuildLogsJob, runBuildJob } from "./builds/jobs.ts";
import { countAttachedJob, protectTagsJob } from "./content/jobs.ts";
import type { Deps } from "./deps.ts";
import { deliverNotificationJob } from "./events/deliver-event.ts";
import { emitExpirationsJob } from "./events/expiration-job.ts";
import { type CollectionJobOptions, collectGarbageJob, collectionJobs } from "./lifecycle/collection/jobs.ts";
import { pruneNamespaceJob, pruneSchedule } from "./lifecycle/pruning/jobs.ts";
import type { LogExportDeps } from "./logs/export-logs.ts";
import { archiveLogJob, countLogJob, expireLogExportsJob, exportLogsJob, mailExportFailureJob } from "./logs/jobs.ts";
import { sendMailJob } from "./mail/jobs.ts";
import { emitQuotaEventsJob } from "./organizations/quotas/jobs.ts";
import { syncTeamsJob } from "./organizations/teams/jobs.ts";
import { noImageBuilder } from "./ports/building.ts";
import { noDirectory } from "./ports/identities.ts";
import { noMailer } from "./ports.ts";
import { imageIntake } from "./push/image-intake.ts";
import { countActionsJob } from "./repositories/count-actions.ts";
import { countAgainJob } from "./security/ignore-rules/rules.ts";
import { countFindingsJob, countImagesNow, deleteReportsJob, rescanJob } from "./security/jobs.ts";
import { keepTrendJob } from "./security/namespace-security/keep-trend.ts";
import type { ScanOptions } from "./security/scan-manifest.ts";
import { scanManifestJob } from "./security/scan-queue.ts";
import type { Features } from "./settings.ts";
import { mirrorSchedule, syncMirrorJob } from "./sources/mirrors/jobs.ts";
import { discoverRepositoriesJob, organizationMirrorSchedule } from "./sources/organization-mirrors/jobs.ts";
import { cacheImageJob, deletePullsJob } from "./sources/proxy-caches/jobs.ts";
import type { CachePulls } from "./sources/proxy-caches/pull-through.ts";
import type { RegistryTables } from "./store/tables/all.ts";

/** What a registry's jobs need. Jobs whose port is absent (scanner, mailer, directory, builder) are left out. */
export interface RegistryJobsDeps
  extends CollectionJobOptions,
    Pick<
      Deps,
      | "settings"
      | "secrets"
      | "mailer"
      | "directory"
      | "outgoing"
      | "imageBuilder"
      | "gitArchives"
      | "upstreams"
      | "pageAddress"
    >,
    Pick<LogExportDeps, "viewLogEntry"> {
  readonly scanning: ScanOptions | undefined;
  /** Absent where no organization can be a cache of another registry. */
  readonly pullThrough?: CachePulls | undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * The kinds of jobs whose state is also stored in a row of another table: of a build, a mirror or a repository's size. Pass them to
 * `cancelJobById`, so that cancelling a job by its id updates that row as well.
 */
export const kindsWithRows: readonly AnyJobKind[] = [
  runBuildJob,
  syncMirrorJob,
  discoverRepositoriesJob,
  measureSizeJob,
];

/** All kinds of jobs that a registry runs. */
export function registryJobs(deps: RegistryJobsDeps): readonly RunnableJob[] {
  const { scanning, mailer, directory, imageBuilder, settings, pullThrough } = deps;
  return [
    collectExpiredJob.withContext(deps),
    ...collectionJobs(deps),
    ...(settings.features.repositoryNotifications
      ? [deliverNotificationJob.withContext(deps), emitExpirationsJob.withContext(deps)]
      : []),
    ...(settings.features.logExport ? [exportLogsJob.withContext(deps), mailExportFailureJob.withContext(deps)] : []),
    expireLogExportsJob.withContext(deps),
    ...(settings.features.autoPrune ? [pruneNamespaceJob.withContext(deps)] : []),
    protectTagsJob.withContext(deps),
    countAttachedJob.withContext(scanning ? { countImages: (ids) => countImagesNow(scanning, ids) } : {}),
    countActionsJob.withContext(deps),
    countAgainJob.withContext(deps),
    countLogJob.withContext(deps),
    archiveLogJob.withContext(deps),
    archiveBuildLogsJob.withContext(deps),
    emitQuotaEventsJob.withContext(deps),
    measureSizeJob.withContext(deps),
    ...(settings.features.mirroring
      ? [syncMirrorJob.withContext({ ...deps, intake: imageIntake(deps) }), discoverRepositoriesJob.withContext(deps)]
      : []),
    ...(pullThrough ? [cacheImageJob.withContext(pullThrough.jobContext), deletePullsJob.withContext(deps)] : []),
    ...(scanning
      ? [scanManifestJob, rescanJob, countFindingsJob, deleteReportsJob, keepTrendJob].map((each) =>
          each.withContext(scanning),
        )
      : []),
    ...(mailer !== noMailer ? [sendMailJob.withContext({ ...deps, mailer })] : []),
    ...(directory !== noDirectory
      ? [syncTeamsJob.withContext({ ...deps, directory }), checkDirectoryUsersJob.withContext({ ...deps, directory })]
      : []),
    ...(imageBuilder !== noImageBuilder && settings.features.builds
      ? [runBuildJob.withContext({ ...deps, imageBuilder })]
      : []),
  ];
}

/** The schedules of a registry's recurring jobs. */
export function registrySchedules({
  scanning,
  directory,
  settings,
}: Pick<RegistryJobsDeps, "scanning" | "directory" | "settings">): readonly Schedule<RegistryTables>[] {
  return [
    every(collectExpiredJob, hourMs),
    every(collectGarbageJob, 10 * minuteMs),
    every(countActionsJob, 4 * hourMs),
    every(countLogJob, 30 * minuteMs),
    every(archiveBuildLogsJob, hourMs),
    ...(settings.logRetentionDays === undefined ? [] : [every(archiveLogJob, hourMs)]),
    every(expireLogExportsJob, hourMs),
    ...(settings.features.repositoryNotifications ? [every(emitExpirationsJob, hourMs)] : []),
    ...(scanning ? [rescanJob, deleteReportsJob].map((each) => every(each, 10 * minuteMs)) : []),
    ...(scanning ? [every(countFindingsJob, minuteMs)] : []),
    ...(scanning ? [every(keepTrendJob, hourMs)] : []),
    ...(settings.features.autoPrune ? [pruneSchedule] : []),
    ...(directory !== noDirectory ? [every(syncTeamsJob, minuteMs)] : []),
    ...(directory.signsUsersIn ? [every(checkDirectoryUsersJob, checkDirectoryUsersEveryMs)] : []),
    ...(settings.features.mirroring ? [mirrorSchedule, organizationMirrorSchedule] : []),
    ...(settings.features.proxyCache ? [every(deletePullsJob, 24 * hourMs)] : []),
  ];
}

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
