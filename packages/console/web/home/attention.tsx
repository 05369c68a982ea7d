import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { News } from "../fleet/news.tsx";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { DamagedBlob, FailedBuild, FailedJob, FailedMirror, FeedInNeed, FullQuota } from "./need.tsx";

type Found = ResultOf<"GET /user/attention">;

const words = texts.attention;

/** Failures that need the visitor's attention, all from one request. */
export function Attention() {
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
