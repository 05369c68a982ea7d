import { useState } from "react";
import { formatCount, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";

const words = texts.findings;

/** How many rows are added at a time. */
const rowsAtOnce = 500;

/** The packages of an image. */
export function PackageTable({ features }: { readonly features: Security["Features"] }) {
  const [shown, setShown] = useState(rowsAtOnce);
  if (features.length === 0) return <p className="empty">{words.noPackages}</p>;
  const { packageColumns: columns } = words;
  const sorted = [...features].sort((one, other) => (one.Name < other.Name ? -1 : 1));
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.version}</th>
            <th scope="col" className="number">
              {columns.findings}
            </th>
            <th scope="col">{columns.layer}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map(({ Name, Version, AddedBy, Vulnerabilities = [] }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an image may have a package of the same version twice
            <tr key={`${Name} ${Version} ${index}`}>
              <th scope="row">{Name}</th>
              <td>{Version}</td>
              <td className="number">{formatCount(Vulnerabilities.length)}</td>
              <td>
                <code title={AddedBy}>{shortDigest(AddedBy)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown && (
        <button type="button" onClick={() => setShown(shown + rowsAtOnce)}>
          {texts.namespace.more}
        </button>
      )}
    </>
  );
}
