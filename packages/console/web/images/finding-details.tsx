import { SuppressForm } from "../ignore-rules/suppress-form.tsx";
import { Digest } from "../shared/digest.tsx";
import { Fact } from "../shared/fact.tsx";
import { Time } from "../shared/time.tsx";
import { formatPercent } from "../shared/units.ts";
import { WebLinks } from "../shared/web-links.tsx";
import { texts } from "../texts/texts.ts";
import { AffectedLink } from "../vulnerabilities/affected-link.tsx";
import type { Finding } from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

const words = texts.findings;

/** What the feeds say of a vulnerability, and why the package has it. */
export function FindingDetails({ finding }: { readonly finding: Finding }) {
  const { vulnerability } = finding;
  const { Description, Aliases, Link, Metadata, Ratings, Advisory } = vulnerability;
  const { Vectors: vector } = Metadata.NVD.CVSSv3;
  return (
    <div className="details">
      <p>{Description || words.noDescription}</p>
      <dl className="facts">
        <Fact name={words.why}>
          <Evidence finding={finding} />
        </Fact>
        <Fact name={words.rule}>{words.range(Advisory.Package, Advisory.From, Advisory.Before)}</Fact>
        {Aliases.length > 0 && <Fact name={words.aliases}>{Aliases.join(", ")}</Fact>}
        {Ratings.length > 0 && (
          <Fact name={words.ratings}>
            {Ratings.map(({ Source, Severity, Score }) => (
              <span key={`${Source} ${Severity} ${Score}`} className="line-of-fact">
                {Source}: {words.rating(Severity, Score)}
              </span>
            ))}
          </Fact>
        )}
        {vector !== "" && (
          <Fact name={words.vector}>
            {finding.score} <code>{vector}</code>
          </Fact>
        )}
        {vulnerability.Epss !== undefined && (
          <Fact name="EPSS">{words.epssMeaning(formatPercent(vulnerability.Epss.Probability))}</Fact>
        )}
        {Metadata.UpdatedBy !== "" && <Fact name={words.reportedBy}>{Metadata.UpdatedBy}</Fact>}
        {Advisory.Published !== undefined && (
          <Fact name={words.published}>
            <Time at={Date.parse(Advisory.Published)} />
          </Fact>
        )}
        <WebLinks name={words.links} links={Link.split(/\s+/)} />
      </dl>
      <p>
        <AffectedLink id={vulnerability.Name} text={texts.vulnerability.everywhere} />
      </p>
      <SuppressForm
        {...useShownImage()}
        vulnerability={vulnerability.Name}
        packageName={finding.packageName}
        purl={finding.feature.Purl}
      />
    </div>
  );
}

/** Where the package was seen. */
function Evidence({ finding: { packageName, version, layer, feature } }: { readonly finding: Finding }) {
  const { PackageDb: path = "", Source: source } = feature;
  return (
    <>
      {words.evidence({ name: packageName, version, path })}
      {layer !== "" && (
        <>
          , {words.inLayer} <Digest digest={layer} />
        </>
      )}
      {source !== undefined && <> {words.builtFrom(source.Name, source.Version)}</>}
    </>
  );
}
