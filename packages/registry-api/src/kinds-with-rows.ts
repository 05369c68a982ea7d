import type { AnyJobKind } from "@plimsoll/store";
import { runBuildJob } from "./builds/jobs.ts";
import { syncMirrorJob } from "./mirrors/jobs.ts";
import { discoverRepositoriesJob } from "./organization-mirrors/jobs.ts";
import { measureSizeJob } from "./superuser/jobs.ts";

/**
 * The kinds of jobs that rows of their own tell of: of a build, of a mirror. Whoever cancels jobs by their ids gives them to
 * `cancelJobById`, so that those rows say the same as the queue.
 */
export const kindsWithRows: readonly AnyJobKind[] = [
  runBuildJob,
  syncMirrorJob,
  discoverRepositoriesJob,
  measureSizeJob,
];
