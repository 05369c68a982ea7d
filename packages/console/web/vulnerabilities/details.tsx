import type { ResultOf } from "../api/operation.ts";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import { Fact } from "../shared/fact.tsx";
import { Time } from "../shared/time.tsx";
import { formatPercent } from "../shared/units.ts";
import { WebLinks } from "../shared/web-links.tsx";
import { texts } from "../texts/texts.ts";

type Described = NonNullable<ResultOf<"GET /security/vulnerability">["vulnerability"]>;

const words = texts.vulnerability;

/** The facts about a vulnerability. */
export function Details({ id, vulnerability }: { readonly id: string; readonly vulnerability: Described }) {
  const { aliases, description, links, severity, known_exploited: isExploited, epss, cvss, published } = vulnerability;
  const others = [vulnerability.name, ...aliases].filter((name) => name !== id);
  return (
    <>
      <p>{description || texts.findings.noDescription}</p>
      <dl className="facts">
        <Fact name={words.severity}>
          <SeverityBadge severity={severity} /> {isExploited && <span className="exploited">{words.exploited}</span>}
        </Fact>
        {others.length > 0 && <Fact name={words.aliases}>{others.join(", ")}</Fact>}
        {cvss !== null && <Fact name={words.cvss}>{cvss}</Fact>}
        {epss !== null && <Fact name={words.epss}>{texts.findings.epssMeaning(formatPercent(epss))}</Fact>}
        {published !== null && (
          <Fact name={words.published}>
            <Time at={Date.parse(published)} />
          </Fact>
        )}
        <WebLinks name={words.links} links={links} />
      </dl>
    </>
  );
}
