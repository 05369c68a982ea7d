import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { formatCount, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";

type Feature = Security["Features"][number];

const words = texts.findings;

/** The packages of an image by name. */
export function PackageTable({ features }: { readonly features: readonly Feature[] }) {
  const sorted = [...features].sort((one, other) => (one.Name < other.Name ? -1 : 1));
  const shown = useShownRows(sorted);
  if (features.length === 0) return <p className="empty">{words.noPackages}</p>;
  return (
    <>
      <Table columns={columns} rows={shown.rows} keyOf={({ Name, Version }, index) => `${Name} ${Version} ${index}`} />
      <MoreRows {...shown} />
    </>
  );
}

const columns: readonly Column<Feature>[] = [
  { title: words.packageColumns.name, isName: true, cell: ({ Name }) => Name },
  { title: words.packageColumns.version, cell: ({ Version }) => Version },
  {
    title: words.packageColumns.findings,
    isNumber: true,
    cell: ({ Vulnerabilities = [] }) => formatCount(Vulnerabilities.length),
  },
  {
    title: words.packageColumns.layer,
    cell: ({ AddedBy }) => <code title={AddedBy}>{shortDigest(AddedBy)}</code>,
  },
];
