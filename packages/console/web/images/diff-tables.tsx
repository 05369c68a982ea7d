import type { ResultOf } from "../api/operation.ts";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Diff = NonNullable<ResultOf<"GET /repository/{repository}/manifest/{manifestref}/security/diff">["diff"]>;
type Change = keyof typeof texts.comparison.changes;
type FindingRow = Diff["findings"]["added"][number] & { readonly change: Change };
type PackageRow = { readonly change: Change; readonly name: string; readonly before: string; readonly after: string };

const words = texts.comparison;
const { columns: titles } = words;

/** The vulnerabilities and packages that were added, removed or changed. */
export function DiffTables({ diff: { findings, packages, partial } }: { readonly diff: Diff }) {
  const { added, removed, unchanged } = findings;
  const changed = [...added.map(withChange("added")), ...removed.map(withChange("removed"))];
  return (
    <>
      <h2>{words.findings}</h2>
      <p>{words.summary(added.length, removed.length, unchanged)}</p>
      {partial && <p className="notice">{words.partial}</p>}
      {changed.length === 0 ? (
        <p className="empty">{words.sameFindings}</p>
      ) : (
        <Rows columns={findingColumns} rows={changed} />
      )}
      <h2>{words.packages}</h2>
      <Packages packages={packages} />
    </>
  );
}

function Packages({ packages: { added, removed, changed } }: Pick<Diff, "packages">) {
  const rows: readonly PackageRow[] = [
    ...added.map(({ name, version }) => ({ change: "added", name, before: "–", after: version }) as const),
    ...removed.map(({ name, version }) => ({ change: "removed", name, before: version, after: "–" }) as const),
    ...changed.map((each) => ({ change: "changed", ...each }) as const),
  ];
  return rows.length === 0 ? <p className="empty">{words.same}</p> : <Rows columns={packageColumns} rows={rows} />;
}

function Rows<Row>({ columns, rows }: { readonly columns: readonly Column<Row>[]; readonly rows: readonly Row[] }) {
  const shown = useShownRows(rows);
  return (
    <>
      <Table columns={columns} rows={shown.rows} keyOf={(row, index) => `${JSON.stringify(row)} ${index}`} />
      <MoreRows {...shown} />
    </>
  );
}

function withChange(change: Change) {
  return <Row extends object>(row: Row) => ({ ...row, change });
}

const findingColumns: readonly Column<FindingRow>[] = [
  { title: titles.change, cell: ({ change }) => words.changes[change] },
  { title: titles.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { title: titles.id, isName: true, cell: ({ name }) => name },
  { title: titles.package, cell: (row) => `${row.package} ${row.version}` },
  { title: titles.fixed, cell: ({ fixed_by: fixedIn }) => fixedIn || texts.findings.noFix },
  { title: titles.cause, cell: ({ cause }) => words.causes[cause] },
];

const packageColumns: readonly Column<PackageRow>[] = [
  { title: titles.change, cell: ({ change }) => words.changes[change] },
  { title: titles.package, isName: true, cell: ({ name }) => name },
  { title: titles.before, cell: ({ before }) => before },
  { title: titles.after, cell: ({ after }) => after },
];
