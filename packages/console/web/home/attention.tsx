import { Link } from "wouter";
import { listFeeds, listJobs } from "../api/generated/superuser.ts";
import { useOperation } from "../api/use-operation.ts";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.home.attention;

/** What superusers should look at: jobs that have failed for good, and advisories that are missing or old. Nothing where all is well. */
export function Attention() {
  const dead = useOperation(listJobs, { query: { state: "dead" } }).data;
  const feeds = useOperation(listFeeds, {}).data?.feeds;
  const outdated = feeds?.filter((feed) => feed.is_outdated).map(({ name }) => name) ?? [];
  const notes = [
    ...(dead !== undefined && dead.jobs.length > 0
      ? [{ text: words.deadJobs(dead.jobs.length, dead.next_page !== undefined), href: "/admin?view=jobs&state=dead" }]
      : []),
    ...(feeds?.length === 0 ? [{ text: words.noFeeds, href: "/admin?view=feeds" }] : []),
    ...(outdated.length > 0 ? [{ text: words.outdated(outdated), href: "/admin?view=feeds" }] : []),
  ];
  if (notes.length === 0) return undefined;
  return (
    <Section title={words.title}>
      <ul className="results">
        {notes.map(({ text, href }) => (
          <li key={text}>
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
