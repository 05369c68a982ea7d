import { Fact } from "../shared/fact.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownUse } from "./shown-finding.ts";

const words = texts.findings.use;

/** How many packages of a chain are shown where there is little room. */
const mostInCells = 2;

interface CellProps extends ShownUse {
  readonly name: string;
}

/** The name of a package, below it what needs it, or a mark that nothing is known to use it. */
export function PackageName({ name, neededBy = [], reached }: CellProps) {
  return (
    <>
      {name}
      {neededBy.length > 0 && (
        <div className="detail">
          {words.neededBy} <Needers by={neededBy.slice(0, mostInCells)} />
          {neededBy.length > mostInCells && " …"}
        </div>
      )}
      {reached !== undefined && (
        <div className="detail" title={words.noEvidenceMeaning}>
          {words.noEvidence}
        </div>
      )}
    </>
  );
}

/** What is known of the use of a package, as facts. */
export function UseFacts({ neededBy = [], reached }: ShownUse) {
  return (
    <>
      {neededBy.length > 0 && (
        <Fact name={words.neededBy}>
          <Needers by={neededBy} />
        </Fact>
      )}
      {reached !== undefined && (
        <Fact name={words.title}>
          {words.noEvidence}. {words.noEvidenceMeaning}
        </Fact>
      )}
    </>
  );
}

/** `A 1, which B 2 needs`. Elements keep names apart that are written from right to left. */
function Needers({ by }: { readonly by: NonNullable<ShownUse["neededBy"]> }) {
  const [before, behind] = words.further;
  const steps = by.map(({ name, version }, at) => ({ key: String(at), isFirst: at === 0, name, version }));
  return steps.map(({ key, isFirst, name, version }) => (
    <span key={key}>
      {!isFirst && before}
      <span>{`${name} ${version}`.trim()}</span>
      {!isFirst && behind}
    </span>
  ));
}
