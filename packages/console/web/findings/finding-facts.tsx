import type { ReactNode } from "react";
import { Fact, WebLinks } from "../shared/fact.tsx";
import { formatPercent } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { FindingDetails } from "./shown-finding.ts";

const words = texts.findings;

interface Props {
  readonly details: FindingDetails;
  /** Where the package was seen. */
  readonly evidence: ReactNode;
  /** Facts before the others. */
  readonly first?: ReactNode;
  /** Facts after the others. */
  readonly children?: ReactNode;
}

/** The facts of the feeds about a vulnerability, and the reason why it affects the package. */
export function FindingFacts({ details, evidence, first, children }: Props) {
  const { description, range, aliases, ratings, vectors, epss, reportedBy, links } = details;
  return (
    <>
      <p className="description">{description || words.noDescription}</p>
      <dl className="facts">
        {first}
        <Fact name={words.why}>{evidence}</Fact>
        {range !== undefined && <Fact name={words.rule}>{words.range(range.name, range.from, range.before)}</Fact>}
        {aliases.length > 0 && <Fact name={words.aliases}>{aliases.join(", ")}</Fact>}
        {ratings.length > 0 && (
          <Fact name={words.ratings}>
            {ratings.map(({ source, severity, score }) => (
              <span key={`${source} ${severity} ${score}`} className="line-of-fact">
                {source}: {words.rating(severity, score)}
              </span>
            ))}
          </Fact>
        )}
        {vectors.length > 0 && (
          <Fact name={words.vector}>
            {vectors.map(({ vector, score }) => (
              <span key={vector} className="line-of-fact">
                {score} <code>{vector}</code>
              </span>
            ))}
          </Fact>
        )}
        {epss !== undefined && <Fact name="EPSS">{words.epssMeaning(formatPercent(epss))}</Fact>}
        {reportedBy !== "" && <Fact name={words.reportedBy}>{reportedBy}</Fact>}
        {children}
        <WebLinks name={words.links} links={links} />
      </dl>
    </>
  );
}
