import { FeedLink } from "../admin/feed-link.tsx";
import { FindingFacts } from "../findings/finding-facts.tsx";
import type { FindingDetails as ShownDetails } from "../findings/shown-finding.ts";
import { SuppressForm } from "../ignore-rules/suppress-form.tsx";
import { Digest } from "../shared/digest.tsx";
import { Fact } from "../shared/fact.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { AffectedLink } from "../vulnerabilities/affected-link.tsx";
import type { Finding } from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

const words = texts.findings;

/** The details of a finding, a link to all affected images, and a form that suppresses it. */
export function FindingDetails({ finding }: { readonly finding: Finding }) {
  const { vulnerability, packageName, id } = finding;
  const { Advisory: advisory } = vulnerability;
  return (
    <div className="details">
      <FindingFacts details={detailsOf(finding)} evidence={<Evidence finding={finding} />}>
        {advisory.Published !== undefined && (
          <Fact name={words.published}>
            <Time at={Date.parse(advisory.Published)} />
          </Fact>
        )}
      </FindingFacts>
      <p>
        <AffectedLink id={id} text={texts.vulnerability.everywhere} />
      </p>
      <SuppressForm {...useShownImage()} vulnerability={id} packageName={packageName} purl={finding.feature.Purl} />
    </div>
  );
}

function detailsOf({ vulnerability, score, epss }: Finding): ShownDetails {
  const { Description, Aliases, Link, Metadata, Ratings, Advisory } = vulnerability;
  const { Vectors: vector } = Metadata.NVD.CVSSv3;
  return {
    description: Description,
    range: { name: Advisory.Package, from: Advisory.From, before: Advisory.Before },
    aliases: Aliases,
    ratings: Ratings.map(({ Source, Severity, Score }) => ({ source: Source, severity: Severity, score: Score })),
    vectors: vector === "" ? [] : [{ vector, score }],
    epss,
    reportedBy: Metadata.UpdatedBy === "" ? "" : <FeedLink name={Metadata.UpdatedBy} />,
    links: Link.split(/\s+/),
  };
}

/** The place where the package was found. */
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
