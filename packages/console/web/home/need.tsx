import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { namedRepositoryPath, namespacePath, repositoryPath } from "../places.ts";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

type Entry<Part extends keyof ResultOf<"GET /user/attention">> = NonNullable<
  ResultOf<"GET /user/attention">[Part]
>["entries"][number];

const words = texts.attention;

/** A build that failed. */
export function FailedBuild({ repository, started, error }: Entry<"builds">) {
  return (
    <li>
      {words.build.before}
      <Link href={`${namedRepositoryPath(repository)}?view=builds`}>{repository}</Link>
      {words.build.after}, <Time at={started} />
      <Reason text={error} />
    </li>
  );
}

/** A mirror whose last run failed, or an organization that could not read a catalog. */
export function FailedMirror({ namespace, repository, external_reference: from, message }: Entry<"mirrors">) {
  const { before, after } = repository === null ? words.catalog : words.mirror;
  const path =
    repository === null
      ? `${namespacePath(namespace)}?view=policies&part=quota`
      : `${repositoryPath(namespace, repository)}?view=mirror`;
  return (
    <li>
      {before}
      <Link href={path}>{repository === null ? namespace : `${namespace}/${repository}`}</Link>
      {after(from)}
      <Reason text={message} />
    </li>
  );
}

/** A namespace that has nearly or fully used its quota. */
export function FullQuota({ namespace, used_bytes: used, limit_bytes: limit, state }: Entry<"quotas">) {
  const percent = Math.floor((used / Math.max(1, limit)) * 100);
  return (
    <li>
      <Link href={`${namespacePath(namespace)}?view=policies&part=quota`}>{namespace}</Link>
      {words.quota.after(formatSize(used), formatSize(limit), percent)}: {words.quota.states[state]}
    </li>
  );
}

/** A blob that the store has lost or damaged. */
export function DamagedBlob({ digest, fault, found_at: foundAt, repositories }: Entry<"blobs">) {
  const [first] = repositories;
  return (
    <li>
      {words.blob.before(digest)}
      {words.blob.faults[fault]}, <Time at={foundAt} />
      {first !== undefined && words.blob.needed}
      {first !== undefined && <Link href={namedRepositoryPath(first)}>{first}</Link>}
    </li>
  );
}

/** A job without attempts left. */
export function FailedJob({ kind, last_error: error }: Entry<"jobs">) {
  return (
    <li>
      {words.job.before}
      <Link href="/admin?view=jobs&state=dead">{kind}</Link>
      {words.job.after}
      <Reason text={error} />
    </li>
  );
}

/** A feed that is not loaded, is outdated, or could not be updated. */
export function FeedInNeed({ name, state, checked_at: checkedAt, last_error: error }: Entry<"feeds">) {
  return (
    <li>
      {words.feed.before}
      <Link href="/admin?view=feeds">{name}</Link>
      {words.feed.states[state]}
      {checkedAt !== null && <Time at={checkedAt} />}
      <Reason text={error} />
    </li>
  );
}

function Reason({ text }: { readonly text: string | null }) {
  return text ? <>: {text}</> : undefined;
}
