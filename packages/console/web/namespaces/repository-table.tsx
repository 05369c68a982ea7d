import { useState } from "react";
import { Link } from "wouter";
import { useChanges } from "../api/use-change.ts";
import { EntityField } from "../permissions/entity-field.tsx";
import { repositoryPath } from "../places.ts";
import type { ImageSeverities } from "../severities/severities.ts";
import { SeverityBar, severitiesText } from "../severities/severity-bar.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ChosenButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField } from "../shared/fields.tsx";
import type { Order } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

/** A repository in a list. */
export interface ListedRepository {
  readonly namespace: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly state: string;
  /** Epoch seconds. */
  readonly last_modified?: number | null;
  /** The pulls of each of the last days, the oldest first. */
  readonly daily_pulls?: readonly number[];
  /** The severities of the newest tag; absent if the registry does not scan. */
  readonly severities?: ImageSeverities | null;
  readonly quota_report?: { readonly quota_bytes: number };
}

interface Props {
  readonly repositories: readonly ListedRepository[];
  readonly withNamespace?: boolean;
  readonly order?: Order;
  /** How many the list has on all pages. */
  readonly total?: number | undefined;
  /** All repositories of the list, for a file. */
  readonly all?: () => Promise<readonly ListedRepository[]>;
  /** Whether the visitor administers them. */
  readonly mayChange?: boolean;
}

/** A table of repositories, with size, changes and pulls. */
export function RepositoryTable({ repositories, withNamespace = false, order, total, all, mayChange = false }: Props) {
  const name: Column<ListedRepository> = {
    title: words.columns.name,
    isName: true,
    order: "name",
    text: (repository) => `${withNamespace ? `${repository.namespace}/` : ""}${repository.name}`,
    cell: (repository) => (
      <Link href={repositoryPath(repository.namespace, repository.name)}>
        {withNamespace && `${repository.namespace}/`}
        {repository.name}
      </Link>
    ),
  };
  const isScanned = repositories.some((each) => each.severities !== undefined);
  return (
    <Table
      columns={[name, ...(isScanned ? [newest] : []), ...others]}
      rows={repositories}
      keyOf={(each) => `${each.namespace}/${each.name}`}
      order={order}
      total={total}
      choice={mayChange ? { actions: (chosen) => <ChosenActions repositories={chosen} /> } : undefined}
      file={all && { name: "repositories", all }}
    />
  );
}

const words = texts.namespace;

/** The actions of several repositories. Those that are public already, or private, are left as they are. */
function ChosenActions({ repositories }: { readonly repositories: readonly ListedRepository[] }) {
  const affected = ["GET /repository"] as const;
  const given = (some: readonly ListedRepository[]) =>
    some.map(({ namespace, name }) => ({ params: { repository: `${namespace}/${name}` } }));
  const visibility = {
    affected,
    operation: "POST /repository/{repository}/changevisibility",
  } as const;
  const mirrors = repositories.filter(({ state }) => state === "MIRROR");
  const [seen, hidden] = [
    repositories.filter((each) => each.is_public),
    repositories.filter((each) => !each.is_public),
  ];
  return (
    <>
      {hidden.length > 0 && (
        <ChosenButton
          {...visibility}
          label={words.makePublic}
          consequence={words.madePublic(hidden.length)}
          given={given(hidden).map((each) => ({ ...each, body: { visibility: "public" as const } }))}
        />
      )}
      {seen.length > 0 && (
        <ChosenButton
          {...visibility}
          label={words.makePrivate}
          consequence={words.madePrivate(seen.length)}
          given={given(seen).map((each) => ({ ...each, body: { visibility: "private" as const } }))}
        />
      )}
      {mirrors.length > 0 && (
        <ChosenButton
          label={words.sync}
          consequence={words.synced(mirrors.length)}
          operation="POST /repository/{repository}/mirror/sync-now"
          affected={["GET /repository", "GET /repository/{repository}/mirror"]}
          given={given(mirrors)}
        />
      )}
      <GrantChosen repositories={given(repositories).map(({ params }) => params.repository)} />
      <ChosenButton
        label={words.remove}
        consequence={words.removed(repositories.length)}
        typed={words.typed(repositories.length)}
        operation="DELETE /repository/{repository}"
        affected={affected}
        given={given(repositories)}
      />
    </>
  );
}

const permissionWords = texts.permissions;

/** Grants a user, a robot or a team a role on several repositories of one namespace. */
function GrantChosen({ repositories }: { readonly repositories: readonly string[] }) {
  const [kind, setKind] = useState<"user" | "team">("user");
  const change = useChanges(
    kind === "user"
      ? "PUT /repository/{repository}/permissions/user/{username}"
      : "PUT /repository/{repository}/permissions/team/{teamname}",
    ["GET /repository/{repository}/permissions/user/", "GET /repository/{repository}/permissions/team/"],
  );
  const given = (typed: Typed) =>
    repositories.map((repository) => ({
      params: { repository, username: typed("name").trim(), teamname: typed("name").trim() },
      body: { role: chosenOf(permissionWords.roles, typed("role")) },
    }));
  return (
    <ChangeForm label={words.grant} change={change} given={given}>
      <SelectField
        name="kind"
        label={permissionWords.defaults.kind}
        options={permissionWords.defaults.kindOptions}
        onChoice={setKind}
      />
      <EntityField
        key={kind}
        name="name"
        label={permissionWords[kind].name}
        namespace={repositories[0]?.split("/", 1)[0] ?? ""}
        kind={kind}
      />
      <SelectField name="role" label={permissionWords.role} options={permissionWords.roles} />
      {change.isSuccess && <p role="status">{words.granted}</p>}
    </ChangeForm>
  );
}

const newest: Column<ListedRepository> = {
  title: words.columns.newest,
  text: ({ severities = null }) => severitiesText(severities),
  cell: ({ severities = null, last_modified: at }) => (at ? <SeverityBar counts={severities} /> : "–"),
};

const others: readonly Column<ListedRepository>[] = [
  { title: words.columns.state, cell: ({ is_public: isPublic }) => (isPublic ? words.public : words.private) },
  {
    title: words.columns.size,
    isNumber: true,
    order: "-size",
    text: ({ quota_report: report }) => String(report?.quota_bytes ?? ""),
    cell: ({ quota_report: report }) => (report === undefined ? "–" : formatSize(report.quota_bytes)),
  },
  {
    title: words.columns.changed,
    order: "-changed",
    text: ({ last_modified: at }) => timeText(at ? at * 1000 : undefined),
    cell: ({ last_modified: at }) => (at ? <Time at={at * 1000} /> : "–"),
  },
  {
    title: words.columns.pulls,
    text: ({ daily_pulls: pulls = [] }) => String(pulls.reduce((sum, count) => sum + count, 0)),
    cell: ({ daily_pulls: pulls = [] }) => <Sparkline counts={pulls} label={words.pulls} none={words.noPulls} />,
  },
];

/** The size of the drawing, in pixels. */
const [width, height] = [90, 16];

interface SparklineProps {
  /** The count of each day, the oldest first. */
  readonly counts: readonly number[];
  /** A description of the drawing for screen readers. */
  readonly label: (total: string, most: string) => string;
  /** The text shown if every count is 0. */
  readonly none: string;
}

/** Counts of days as a small bar chart in a line of text, with the total beside it. */
function Sparkline({ counts, label, none }: SparklineProps) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return <span className="empty">{none}</span>;
  const sentence = label(formatCount(total), formatCount(Math.max(...counts)));
  return (
    <span className="sparkline">
      <svg width={width} height={height} role="img" aria-label={sentence}>
        <title>{sentence}</title>
        <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {sparks(counts, { width, height }).map(({ day, ...place }) => (
          <rect key={day} {...place} />
        ))}
      </svg>
      {formatCount(total)}
    </span>
  );
}

/** A bar of a sparkline, in pixels. */
interface Spark {
  /** The index of the day, from 0. */
  readonly day: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The height of the lowest visible bar, in pixels. */
const minHeight = 2;

/** The bars of counts that are not zero, the largest as high as the drawing. */
export function sparks(
  counts: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Spark[] {
  const most = Math.max(...counts);
  const step = width / counts.length;
  return counts.flatMap((count, day) => {
    if (count === 0) return [];
    const tall = Math.max(minHeight, Math.round((count / most) * height));
    return [{ day, x: day * step, y: height - tall, width: step - 1, height: tall }];
  });
}
