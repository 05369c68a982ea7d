import { useState } from "react";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { type Column, TableHead, TableRow } from "../shared/table.tsx";
import { TableFrame } from "../shared/table-frame.tsx";
import { formatPercent, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { FindingDetails } from "./finding-details.tsx";
import type { Finding } from "./findings.ts";

/** Findings, each with its details below it once it is opened. */
export function FindingTable({ findings }: { readonly findings: readonly Finding[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const shown = useShownRows(findings);
  const toggle = (key: string) => {
    const others = [...opened].filter((each) => each !== key);
    setOpened(new Set(opened.has(key) ? others : [...others, key]));
  };
  const columns = columnsOf((key) => opened.has(key), toggle);
  return (
    <>
      <TableFrame>
        <table>
          <TableHead columns={columns} />
          {shown.rows.map((finding) => (
            <tbody key={finding.key}>
              <TableRow columns={columns} row={finding} />
              {opened.has(finding.key) && (
                <tr>
                  <td colSpan={columns.length}>
                    <FindingDetails finding={finding} />
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </TableFrame>
      <MoreRows {...shown} />
    </>
  );
}

const words = texts.findings;
const { columns: titles, noFix } = words;

function columnsOf(isOpen: (key: string) => boolean, toggle: (key: string) => void): readonly Column<Finding>[] {
  return [
    { title: titles.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
    {
      title: titles.id,
      isName: true,
      cell: ({ key, vulnerability }) => (
        <Disclosure isOpen={isOpen(key)} onToggle={() => toggle(key)} isUnbroken>
          {vulnerability.Name}
        </Disclosure>
      ),
    },
    { title: titles.risk, cell: ({ vulnerability }) => <ExploitFacts vulnerability={vulnerability} /> },
    { title: titles.package, isText: true, cell: ({ packageName }) => packageName },
    { title: titles.installed, cell: ({ version }) => version },
    { title: titles.fixed, cell: ({ fixedIn }) => fixedIn || noFix },
    { title: titles.layer, cell: ({ layer }) => <code title={layer}>{shortDigest(layer)}</code> },
  ];
}

/** Whether a vulnerability is exploited, and how likely that is. */
function ExploitFacts({ vulnerability: { KnownExploited, Epss } }: Pick<Finding, "vulnerability">) {
  const probability = Epss && formatPercent(Epss.Probability);
  return (
    <span className="unbroken">
      {KnownExploited && (
        <span className="exploited" title={words.isExploited}>
          {words.exploited}
        </span>
      )}
      {KnownExploited && probability !== undefined && " "}
      {probability !== undefined && <span title={words.epssMeaning(probability)}>{words.epss(probability)}</span>}
      {!KnownExploited && probability === undefined && "–"}
    </span>
  );
}
