import { type ComponentProps, useState } from "react";
import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { findingColumns } from "../findings/finding-columns.tsx";
import { FindingFacts } from "../findings/finding-facts.tsx";
import { UseFacts } from "../findings/package-use.tsx";
import type { FindingDetails as ShownDetails } from "../findings/shown-finding.ts";
import { SuppressChosen, SuppressForm } from "../ignore-rules/suppress-form.tsx";
import { Digest } from "../shared/copy-button.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { Fact } from "../shared/fact.tsx";
import type { Order } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { AffectedLink } from "../vulnerabilities/affected-link.tsx";
import { type Finding, type FindingQuery, findingsOf, readAllFindings } from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

interface Props {
  readonly findings: readonly Finding[];
  /** What the findings are a page of. */
  readonly query: FindingQuery;
  /** Absent: they have only one. */
  readonly order?: Order;
}

/** A table of findings. Each can be opened to show its details. */
export function FindingTable({ findings, query, order }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const image = useShownImage();
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
    <Table
      columns={columns}
      rows={findings}
      keyOf={({ key }) => key}
      choice={useSuppression()}
      order={order}
      details={(finding) => (opened.has(finding.key) ? <FindingDetails finding={finding} /> : undefined)}
      file={{
        name: `${image.repository.replaceAll("/", "-")}-findings`,
        all: () => readAllFindings(image, query, findingsOf),
      }}
    />
  );
}

/** Users suppress several chosen findings at once, with one reason. */
function useSuppression(): ComponentProps<typeof Table<Finding>>["choice"] {
  const user = useCurrentUser().data;
  const { repository } = useShownImage();
  if (!user) return undefined;
  return {
    nameOf: ({ id, packageName }) => `${id} ${packageName}`,
    actions: (chosen) => (
      <SuppressChosen
        repository={repository}
        findings={chosen.map(({ id, feature }) => ({ vulnerability: id, purl: feature.Purl }))}
      />
    ),
  };
}

const words = texts.findings;

/** The details of a finding, a link to all affected images, and a form that suppresses it. */
function FindingDetails({ finding }: { readonly finding: Finding }) {
  const { vulnerability, packageName, id } = finding;
  const { Advisory: advisory } = vulnerability;
  return (
    <div className="details">
      <FindingFacts details={detailsOf(finding)} evidence={<Evidence finding={finding} />}>
        <UseFacts neededBy={finding.neededBy} reached={finding.reached} />
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

/** The name of a feed. For superusers, who alone may see feeds, it links to the feed's age and the error of its last update. */
function FeedLink({ name }: { readonly name: string }) {
  const user = useCurrentUser().data;
  if (!user?.super_user && !user?.global_readonly_super_user) return name;
  return <Link href={`/admin?${new URLSearchParams({ view: "feeds", feed: name })}`}>{name}</Link>;
}
