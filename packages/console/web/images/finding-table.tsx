import { useState } from "react";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { FindingDetails } from "./finding-details.tsx";
import type { Finding } from "./findings.ts";
import { SeverityBadge } from "./severity-badge.tsx";

const { columns, noFix } = texts.findings;

/** How many rows are added at a time: a table of thousands is slow to show. */
const rowsAtOnce = 200;

/** Findings, each with its details below it once it is opened. */
export function FindingTable({ findings }: { readonly findings: readonly Finding[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState(rowsAtOnce);
  const toggle = (key: string) => {
    const others = [...opened].filter((each) => each !== key);
    setOpened(new Set(opened.has(key) ? others : [...others, key]));
  };
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.severity}</th>
            <th scope="col">{columns.id}</th>
            <th scope="col">{columns.package}</th>
            <th scope="col">{columns.installed}</th>
            <th scope="col">{columns.fixed}</th>
            <th scope="col">{columns.layer}</th>
          </tr>
        </thead>
        {findings.slice(0, shown).map((finding) => (
          <FindingRows
            key={finding.key}
            finding={finding}
            isOpen={opened.has(finding.key)}
            onToggle={() => toggle(finding.key)}
          />
        ))}
      </table>
      {findings.length > shown && (
        <button type="button" onClick={() => setShown(shown + rowsAtOnce)}>
          {texts.namespace.more}
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly finding: Finding;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function FindingRows({ finding, isOpen, onToggle }: RowProps) {
  const { severity, vulnerability, packageName, version, fixedIn, layer } = finding;
  return (
    <tbody>
      <tr>
        <td>
          <SeverityBadge severity={severity} />
        </td>
        <th scope="row">
          <button type="button" className="disclosure" aria-expanded={isOpen} onClick={onToggle}>
            {vulnerability.Name}
          </button>
        </th>
        <td>{packageName}</td>
        <td>{version}</td>
        <td>{fixedIn || noFix}</td>
        <td>
          <code title={layer}>{shortDigest(layer)}</code>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6}>
            <FindingDetails finding={finding} />
          </td>
        </tr>
      )}
    </tbody>
  );
}
