import type { AnyJobKind } from "@plimsoll/store";
import { measureSizeJob } from "./administration/jobs.ts";
import { runBuildJob } from "./builds/jobs.ts";
import { syncMirrorJob } from "./sources/mirrors/jobs.ts";
import { discoverRepositoriesJob } from "./sources/organization-mirrors/jobs.ts";

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
