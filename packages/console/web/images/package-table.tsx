import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";

type Feature = Security["Features"][number];

const words = texts.findings;

/** The packages of an image by name. */
export function PackageTable({ features }: { readonly features: readonly Feature[] }) {
  const sorted = [...features].sort((one, other) => (one.Name < other.Name ? -1 : 1));
  return (
    <Table
      columns={columns}
      rows={sorted}
      keyOf={({ Name, Version }, index) => `${Name} ${Version} ${index}`}
      empty={words.noPackages}
    />
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
