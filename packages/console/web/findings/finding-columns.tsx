import type { ReactNode } from "react";
import { SeverityBadge } from "../severities/severity-bar.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatPercent, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { PackageName } from "./package-use.tsx";
import type { ShownFinding } from "./shown-finding.ts";

const words = texts.findings;
const { columns: titles, noFix } = words;

/** The columns of a table of findings. The caller renders the cell with the id. */
export function findingColumns<Finding extends ShownFinding>(
  nameCell: (finding: Finding) => ReactNode,
): readonly Column<Finding>[] {
  return [
    {
      title: titles.severity,
      order: "-severity",
      text: ({ severity }) => severity,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    { title: titles.id, isName: true, order: "name", text: ({ id }) => id, cell: nameCell },
    {
      title: titles.risk,
      order: "-risk",
      text: ({ isExploited, epss }) => [isExploited ? words.exploited : [], epss ?? []].flat().join(" "),
      cell: ({ isExploited, epss }) => <ExploitFacts isExploited={isExploited} epss={epss} />,
    },
    { title: titles.score, order: "-score", cell: ({ score }) => score?.toFixed(1) ?? "–" },
    {
      title: titles.package,
      isText: true,
      order: "package",
      text: ({ packageName }) => packageName,
      cell: ({ packageName, neededBy, reached }) => (
        <PackageName name={packageName} neededBy={neededBy} reached={reached} />
      ),
    },
    { title: titles.installed, cell: ({ version }) => version },
    { title: titles.fixed, cell: ({ fixedIn }) => fixedIn || noFix },
    {
      title: titles.layer,
      isExtra: true,
      text: ({ layer }) => layer,
      cell: ({ layer }) => <code title={layer}>{shortDigest(layer)}</code>,
    },
  ];
}

/** Whether a vulnerability is known to be exploited, and its exploit probability (EPSS). */
function ExploitFacts({ isExploited, epss }: Pick<ShownFinding, "isExploited" | "epss">) {
  const probability = epss === undefined ? undefined : formatPercent(epss);
  return (
    <>
      {isExploited && (
        <span className="exploited" title={words.isExploited}>
          {words.exploited}
        </span>
      )}
      {isExploited && probability !== undefined && " "}
      {probability !== undefined && (
        <span className="unbroken" title={words.epssMeaning(probability)}>
          {words.epss(probability)}
        </span>
      )}
      {!isExploited && probability === undefined && "–"}
    </>
  );
}
