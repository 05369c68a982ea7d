import { GateDocuments } from "../pull-gate/gate-documents.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

type Suppressed = Security["Suppressed"][number];

const words = texts.findings;

/** Findings that are suppressed by VEX statements or rules, with author and reason. */
export function SuppressedList({ suppressed }: { readonly suppressed: readonly Suppressed[] }) {
  const shown = useShownRows(suppressed);
  const image = useShownImage();
  if (suppressed.length === 0) return undefined;
  return (
    <details>
      <summary>{words.suppressed(suppressed.length)}</summary>
      <Table
        columns={columns}
        rows={shown.rows}
        keyOf={({ Name, Package, Source }) => `${Name} ${Package} ${Source}`}
      />
      <MoreRows {...shown} />
      {suppressed.some(isByDocument) && (
        <OnDemand label={texts.pullGate.documents.title}>
          <GateDocuments {...image} />
        </OnDemand>
      )}
    </details>
  );
}

/** Whether an attached document suppresses a finding, which may not count for a pull gate. */
function isByDocument({ Rule, Source }: Suppressed): boolean {
  return Rule === undefined && Source.startsWith("sha");
}

const titles = words.suppressedColumns;

const columns: readonly Column<Suppressed>[] = [
  { title: titles.id, isName: true, cell: ({ Name }) => Name },
  { title: titles.package, isText: true, cell: ({ Package, Version }) => `${Package} ${Version}` },
  {
    title: titles.why,
    cell: ({ Justification, Detail }) => [Justification.replaceAll("_", " "), Detail].filter(Boolean).join(": "),
  },
  { title: titles.author, cell: ({ Author }) => Author || "–" },
  { title: titles.source, cell: ({ Source, Rule }) => (Rule === undefined ? Source : words.byRule) },
  { title: titles.until, cell: ({ Expires }) => (Expires === undefined ? "–" : <Time at={Date.parse(Expires)} />) },
];
