import type { ReactNode } from "react";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import type { Column } from "../shared/table-row.tsx";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { ExploitFacts } from "./exploit-facts.tsx";
import type { ShownFinding } from "./shown-finding.ts";

const { columns: titles, noFix } = texts.findings;

/** The columns of a table of findings. The caller renders the cell with the id. */
export function findingColumns<Finding extends ShownFinding>(
  nameCell: (finding: Finding) => ReactNode,
): readonly Column<Finding>[] {
  return [
    { title: titles.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    { title: titles.id, isName: true, cell: nameCell },
    { title: titles.risk, cell: ({ isExploited, epss }) => <ExploitFacts isExploited={isExploited} epss={epss} /> },
    { title: titles.score, cell: ({ score }) => score?.toFixed(1) ?? "–" },
    { title: titles.package, isText: true, cell: ({ packageName }) => packageName },
    { title: titles.installed, cell: ({ version }) => version },
    { title: titles.fixed, cell: ({ fixedIn }) => fixedIn || noFix },
    { title: titles.layer, isExtra: true, cell: ({ layer }) => <code title={layer}>{shortDigest(layer)}</code> },
  ];
}
