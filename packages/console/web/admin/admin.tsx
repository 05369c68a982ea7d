import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { UsageLog } from "../logs/usage-log.tsx";
import { Answered } from "../shared/answered.tsx";
import { Lazily } from "../shared/lazily.tsx";
import { namedOrFirst } from "../shared/named-or-first.ts";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Tabs } from "../shared/tabs.tsx";
import { UnknownPage } from "../shell/unknown-page.tsx";
import { texts } from "../texts/texts.ts";
import { Feeds } from "./feeds.tsx";
import { Garbage } from "./garbage.tsx";
import { Jobs } from "./jobs.tsx";
import { Messages } from "./messages.tsx";
import { AllOrganizations } from "./organizations.tsx";
import { ServiceKeys } from "./service-keys.tsx";
import { Settings } from "./settings.tsx";
import { Storage } from "./storage.tsx";
import { Users } from "./users.tsx";

const { title, tabs } = texts.admin;

const loadUsage = async () => (await import("../fleet/overview.tsx")).RegistryUsage;

/** The pages of superusers. Others see that the page does not exist. */
export function Admin() {
  const user = useCurrentUser();
  return (
    <Answered query={user}>
      {(found) => (found?.super_user || found?.global_readonly_super_user ? <Views /> : <UnknownPage />)}
    </Answered>
  );
}

function Views() {
  const [view] = useSearchParam("view");
  const current = namedOrFirst(tabs, view);
  return (
    <>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} current={current} />
      {current === "overview" && <Overview />}
      {current === "users" && <Users />}
      {current === "organizations" && <AllOrganizations />}
      {current === "messages" && <Messages />}
      {current === "keys" && <ServiceKeys />}
      {current === "jobs" && <Jobs />}
      {current === "feeds" && <Feeds />}
      {current === "storage" && <Storage />}
      {current === "garbage" && <Garbage />}
      {current === "logs" && <UsageLog owner={{ kind: "registry" }} />}
      {current === "settings" && <Settings />}
    </>
  );
}

const words = texts.administration.overview;

/** The state of the registry: what needs a superuser, with the pages about it, and what repositories store. */
function Overview() {
  return (
    <>
      <Section title={words.title} about={words.about}>
        <Answered query={useOperation("GET /user/attention", {})}>
          {(found) => <Table columns={columns} rows={linesOf(found)} keyOf={({ part }) => part} />}
        </Answered>
      </Section>
      <Lazily name="registry-usage" load={loadUsage}>
        {(Usage) => <Usage />}
      </Lazily>
    </>
  );
}

type Found = ResultOf<"GET /user/attention">;

/** A part of the registry, with what needs attention in it. */
interface Line {
  readonly part: keyof typeof words.parts;
  /** Where it is looked after. */
  readonly path: string;
  /** The names of what needs attention; undefined if that is not known here. */
  readonly names: readonly string[] | undefined;
  readonly hasMore: boolean;
}

function linesOf({ feeds, jobs, blobs, mirrors, builds, quotas }: Found): readonly Line[] {
  return [
    lineOf(
      "feeds",
      "/admin?view=feeds",
      named(feeds, ({ name }) => name),
    ),
    lineOf(
      "jobs",
      "/admin?view=jobs&state=dead",
      named(jobs, ({ kind }) => kind),
    ),
    lineOf(
      "blobs",
      "/admin?view=storage",
      named(blobs, ({ digest }) => digest.slice(0, 19)),
    ),
    lineOf(
      "mirrors",
      "/",
      named(mirrors, ({ namespace, repository }) => repositoryName(namespace, repository)),
    ),
    lineOf(
      "builds",
      "/",
      named(builds, ({ repository }) => repository),
    ),
    lineOf(
      "quotas",
      "/admin?view=organizations",
      named(quotas, ({ namespace }) => namespace),
    ),
  ];
}

function repositoryName(namespace: string, repository: string | null): string {
  return repository === null ? namespace : `${namespace}/${repository}`;
}

interface NamedPart {
  readonly names: readonly string[];
  readonly hasMore: boolean;
}

function named<Entry>(
  part: { readonly entries: readonly Entry[]; readonly has_additional: boolean } | null,
  nameOf: (entry: Entry) => string,
): NamedPart | undefined {
  return part === null ? undefined : { names: part.entries.map(nameOf), hasMore: part.has_additional };
}

function lineOf(part: Line["part"], path: string, found: NamedPart | undefined): Line {
  return { part, path, names: found?.names, hasMore: found?.hasMore ?? false };
}

const columns: readonly Column<Line>[] = [
  {
    title: words.columns.part,
    isName: true,
    cell: ({ part, path }) => <Link href={path}>{words.parts[part]}</Link>,
  },
  {
    title: words.columns.state,
    cell: ({ names, hasMore }) => stateOf(names?.length, hasMore ? "at least" : "exactly"),
  },
  { title: words.columns.names, isText: true, cell: ({ names = [] }) => [...new Set(names)].join(", ") || "–" },
];

function stateOf(count: number | undefined, which: "at least" | "exactly"): string {
  if (count === undefined) return words.unknown;
  if (count === 0) return words.well;
  return which === "exactly" ? words.failing(count) : words.failingAtLeast(count);
}
