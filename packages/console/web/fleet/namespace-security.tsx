import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Rules } from "../ignore-rules/rules.tsx";
import { namedRepositoryPath } from "../places.ts";
import { SeverityBar } from "../severities/severity-bar.tsx";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Parts } from "../shared/tabs.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { ImageLink } from "./image-link.tsx";
import { type SecuredNamespace, Trend } from "./trend.tsx";

const words = texts.fleet;

/** The vulnerabilities of a namespace's images, now and by day; for an organization, also its rules that suppress vulnerabilities. */
export function NamespaceSecurity({
  namespace,
  isOrganization,
  isAdmin,
}: SecuredNamespace & { readonly isAdmin: boolean }) {
  const { found, suppressed } = words.parts;
  const counts = () => (
    <>
      <Now namespace={namespace} isOrganization={isOrganization} />
      <Trend namespace={namespace} isOrganization={isOrganization} />
    </>
  );
  const rules = () => <Rules owner={{ organization: namespace }} mayChange={isAdmin} />;
  return (
    <Parts
      label={words.title}
      parts={{
        found: { title: found, show: counts },
        suppressed: isOrganization ? { title: suppressed, show: rules } : undefined,
      }}
    />
  );
}

/** How many upgrades are shown. */
const shownUpgrades = 20;

function Now({ namespace, isOrganization }: SecuredNamespace) {
  const options = { placeholderData: keepPreviousData };
  const query = { upgrades: shownUpgrades };
  const own = useOperation("GET /user/security", { query }, { ...options, enabled: !isOrganization });
  const params = { orgname: namespace };
  const shared = useOperation(
    "GET /organization/{orgname}/security",
    { params, query },
    { ...options, enabled: isOrganization },
  );
  return (
    <Section title={words.title}>
      <Answered query={isOrganization ? shared : own}>{(found) => <Sums found={found} />}</Answered>
    </Section>
  );
}

type Found = ResultOf<"GET /user/security">;

function Sums({ found: { severities, images, uncounted, partial, worst, upgrades = [] } }: { readonly found: Found }) {
  if (images === 0) return <p className="empty">{words.none}</p>;
  return (
    <>
      <p>
        <SeverityBar counts={{ ...severities, partial: uncounted + partial > 0, feeds: "current" }} />
      </p>
      <p>{words.images(images, uncounted, partial)}</p>
      <h3>{words.upgrades.title}</h3>
      <Table
        columns={upgradeColumns}
        rows={upgrades}
        keyOf={({ package_type: type, package: name, version, to }) => [type, name, version, to].join(" ")}
        empty={words.upgrades.none}
        file={{ name: "upgrades" }}
      />
      <h3>{words.worst}</h3>
      <Table columns={columns} rows={worst} keyOf={(each) => `${each.repository} ${each.manifest_digest}`} />
    </>
  );
}

const { columns: titles } = words;

const columns: readonly Column<Found["worst"][number]>[] = [
  {
    title: titles.image,
    isName: true,
    cell: ({ repository, manifest_digest: digest, tags }) => (
      <ImageLink repository={repository} digest={digest} tags={tags} />
    ),
  },
  { title: titles.tags, cell: ({ tags }) => tags.join(", ") },
  { title: titles.severities, cell: ({ severities }) => <SeverityBar counts={severities} /> },
  { title: titles.fixable, isNumber: true, cell: ({ severities }) => countOrDash(severities?.fixable) },
  { title: titles.exploited, isNumber: true, cell: ({ severities }) => countOrDash(severities?.known_exploited) },
];

type Upgrade = NonNullable<Found["upgrades"]>[number];

const { columns: upgradeTitles, versions: versionsText } = words.upgrades;

const upgradeColumns: readonly Column<Upgrade>[] = [
  { title: upgradeTitles.package, isName: true, cell: ({ package: name }) => name },
  { title: upgradeTitles.versions, cell: ({ version, to }) => versionsText(version, to) },
  { title: upgradeTitles.critical, isNumber: true, cell: ({ critical }) => formatCount(critical) },
  { title: upgradeTitles.high, isNumber: true, cell: ({ high }) => formatCount(high) },
  { title: upgradeTitles.exploited, isNumber: true, cell: ({ known_exploited: count }) => formatCount(count) },
  {
    title: upgradeTitles.images,
    isNumber: true,
    text: ({ images }) => String(images),
    cell: ({ package: name, version, images }) => (
      <Link href={`/search?${new URLSearchParams({ by: "package_name", with: name, version })}`}>
        {formatCount(images)}
      </Link>
    ),
  },
  {
    title: upgradeTitles.repositories,
    isExtra: true,
    text: ({ repositories }) => repositories.join(" "),
    cell: ({ repositories }) =>
      repositories.map((name) => (
        <div key={name}>
          <Link href={namedRepositoryPath(name)}>{name}</Link>
        </div>
      )),
  },
];

function countOrDash(count: number | undefined): string {
  return count === undefined ? "–" : formatCount(count);
}
