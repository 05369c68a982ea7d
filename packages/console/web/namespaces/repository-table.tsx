import { Link } from "wouter";
import { Sparkline } from "../charts/sparkline.tsx";
import { repositoryPath } from "../places.ts";
import type { ImageSeverities } from "../severities/severities.ts";
import { SeverityBar } from "../severities/severity-bar.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
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
}

/** A table of repositories, with size, changes and pulls. */
export function RepositoryTable({ repositories, withNamespace = false }: Props) {
  const name: Column<ListedRepository> = {
    title: words.columns.name,
    isName: true,
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
    />
  );
}

const words = texts.namespace;

const newest: Column<ListedRepository> = {
  title: words.columns.newest,
  cell: ({ severities = null, last_modified: at }) => (at ? <SeverityBar counts={severities} /> : "–"),
};

const others: readonly Column<ListedRepository>[] = [
  { title: words.columns.state, cell: ({ is_public: isPublic }) => (isPublic ? words.public : words.private) },
  {
    title: words.columns.size,
    isNumber: true,
    cell: ({ quota_report: report }) => (report === undefined ? "–" : formatSize(report.quota_bytes)),
  },
  { title: words.columns.changed, cell: ({ last_modified: at }) => (at ? <Time at={at * 1000} /> : "–") },
  {
    title: words.columns.pulls,
    cell: ({ daily_pulls: pulls = [] }) => <Sparkline counts={pulls} label={words.pulls} none={words.noPulls} />,
  },
];
