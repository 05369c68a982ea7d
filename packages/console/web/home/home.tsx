import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { usePages } from "../api/use-pages.ts";
import { News } from "../fleet/news.tsx";
import { RepositoryTable } from "../namespaces/repository-table.tsx";
import { namedRepositoryPath, namespacePath, repositoryPath } from "../places.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/copy-button.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { Paged } from "../shared/paged.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Tabs } from "../shared/tabs.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

/** How often repositories are fetched again until there is one, in milliseconds. */
const refetchEveryMs = 3000;

/** What is shown of each repository. */
const details = { last_modified: true, daily_pulls: true, severities: true } as const;

/** The home page: repositories and failures, or the repositories that the visitor starred. */
export function Home() {
  const user = useCurrentUser().data;
  const [view] = useSearchParam("view");
  const current = user ? namedOrFirst(texts.home.views, view) : "all";
  return (
    <>
      <h1>{texts.home.title}</h1>
      {user && <Tabs label={texts.home.title} tabs={texts.home.views} current={current} />}
      {current === "starred" ? <Starred /> : <All />}
    </>
  );
}

/** The repositories that the visitor starred. */
function Starred() {
  const starred = usePages("GET /repository", { query: { ...details, starred: true } });
  return (
    <Paged query={starred}>
      {(pages) => {
        const list = pages.flatMap((page) => page.repositories);
        if (list.length === 0) return <p className="empty">{texts.home.noneStarred}</p>;
        return <RepositoryTable repositories={list} withNamespace />;
      }}
    </Paged>
  );
}

/** All repositories that the visitor sees, and failures; while there is no repository, how to push the first image. */
function All() {
  const user = useCurrentUser().data;
  const repositories = useOperation(
    "GET /repository",
    { query: { ...details, public: true } },
    {
      refetchInterval: ({ state }) => (state.data?.repositories.length === 0 ? refetchEveryMs : false),
    },
  );
  return (
    <Answered query={repositories}>
      {({ repositories: list }) => {
        if (list.length > 0) {
          return (
            <>
              {user && <Attention />}
              <Section title={texts.home.repositories}>
                <RepositoryTable repositories={list} withNamespace />
              </Section>
            </>
          );
        }
        if (user) {
          return (
            <>
              <PushGuide username={user.username} />
              {user.super_user && <Attention />}
            </>
          );
        }
        return <p className="empty">{texts.home.noneAnonymous}</p>;
      }}
    </Answered>
  );
}

type Found = ResultOf<"GET /user/attention">;

const words = texts.attention;

/** Failures that need the visitor's attention, all from one request. */
function Attention() {
  const found = useOperation("GET /user/attention", {});
  return (
    <Answered query={found}>
      {({ images, ...others }) => (
        <>
          <Section title={words.title}>
            <Needs {...others} />
          </Section>
          {images && <News images={images.entries} />}
        </>
      )}
    </Answered>
  );
}

function Needs({ builds, mirrors, quotas, blobs, jobs, feeds }: Omit<Found, "images">) {
  const lines = [
    ...(builds?.entries ?? []).map((each) => <FailedBuild key={each.build_id} {...each} />),
    ...(mirrors?.entries ?? []).map((each) => <FailedMirror key={`${each.namespace}/${each.repository}`} {...each} />),
    ...(quotas?.entries ?? []).map((each) => <FullQuota key={`quota ${each.namespace}`} {...each} />),
    ...(blobs?.entries ?? []).map((each) => <DamagedBlob key={each.digest} {...each} />),
    ...(jobs?.entries ?? []).map((each) => <FailedJob key={each.job_id} {...each} />),
    ...(feeds?.entries ?? []).map((each) => <FeedInNeed key={`feed ${each.name}`} {...each} />),
  ];
  if (lines.length === 0)
    return <p className="empty">{nothing({ hasJobs: jobs !== null, hasFeeds: feeds !== null })}</p>;
  const hasMore = [builds, mirrors, quotas, blobs, jobs, feeds].some((part) => part?.has_additional);
  return (
    <>
      <ul className="needs">{lines}</ul>
      {hasMore && (
        <p>
          {words.more} {jobs?.has_additional && <Link href="/admin?view=jobs&state=dead">{words.allJobs}</Link>}{" "}
          {feeds?.has_additional && <Link href="/admin?view=feeds">{words.allFeeds}</Link>}
        </p>
      )}
    </>
  );
}

/** The text for an empty list; it names only what the visitor may see. */
function nothing({ hasJobs, hasFeeds }: { readonly hasJobs: boolean; readonly hasFeeds: boolean }): string {
  if (hasFeeds) return words.nothingAtAll;
  return hasJobs ? words.nothingButFeeds : words.nothing;
}

type Entry<Part extends keyof ResultOf<"GET /user/attention">> = NonNullable<
  ResultOf<"GET /user/attention">[Part]
>["entries"][number];

/** A build that failed. */
function FailedBuild({ repository, started, error }: Entry<"builds">) {
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
function FailedMirror({ namespace, repository, external_reference: from, message }: Entry<"mirrors">) {
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
function FullQuota({ namespace, used_bytes: used, limit_bytes: limit, state }: Entry<"quotas">) {
  const percent = Math.floor((used / Math.max(1, limit)) * 100);
  return (
    <li>
      <Link href={`${namespacePath(namespace)}?view=policies&part=quota`}>{namespace}</Link>
      {words.quota.after(formatSize(used), formatSize(limit), percent)}: {words.quota.states[state]}
    </li>
  );
}

/** A blob that the store has lost or damaged. */
function DamagedBlob({ digest, fault, found_at: foundAt, repositories }: Entry<"blobs">) {
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
function FailedJob({ kind, last_error: error }: Entry<"jobs">) {
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
function FeedInNeed({ name, state, checked_at: checkedAt, last_error: error }: Entry<"feeds">) {
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

/** The commands with which a client signs in and pushes the first image. */
function PushGuide({ username }: { readonly username: string }) {
  const { host } = window.location;
  const image = `${host}/${username}/app:1`;
  return (
    <section aria-labelledby="push-guide">
      <h2 id="push-guide">{texts.push.title}</h2>
      <ol className="steps">
        <li>
          {texts.push.signIn}
          <Command line={`docker login --username ${username} ${host}`} />
        </li>
        <li>
          {texts.push.tag}
          <Command line={`docker tag debian:12 ${image}`} />
          <Command line={`docker push ${image}`} />
        </li>
      </ol>
      <p role="status">{texts.push.waiting}</p>
    </section>
  );
}
