import { useState } from "react";
import { findingColumns } from "../findings/finding-columns.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { TableFrame } from "../shared/table-frame.tsx";
import { TableHead, TableRow } from "../shared/table-row.tsx";
import { FindingDetails } from "./finding-details.tsx";
import type { Finding } from "./findings.ts";

/** A table of findings. Each can be opened to show its details. */
export function FindingTable({ findings }: { readonly findings: readonly Finding[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const shown = useShownRows(findings);
  const toggle = (key: string) => {
    const others = [...opened].filter((each) => each !== key);
    setOpened(new Set(opened.has(key) ? others : [...others, key]));
  };
  const columns = findingColumns<Finding>(({ key, id }) => (
    <Disclosure isOpen={opened.has(key)} onToggle={() => toggle(key)} isUnbroken>
      {id}
    </Disclosure>
  ));
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
