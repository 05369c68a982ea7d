import { keepPreviousData } from "@tanstack/react-query";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Rules } from "../ignore-rules/rules.tsx";
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

function Now({ namespace, isOrganization }: SecuredNamespace) {
  const options = { placeholderData: keepPreviousData };
  const own = useOperation("GET /user/security", { query: {} }, { ...options, enabled: !isOrganization });
  const params = { orgname: namespace };
  const shared = useOperation(
    "GET /organization/{orgname}/security",
    { params, query: {} },
    { ...options, enabled: isOrganization },
  );
  return (
    <Section title={words.title}>
      <Answered query={isOrganization ? shared : own}>{(found) => <Sums found={found} />}</Answered>
    </Section>
  );
}

type Found = ResultOf<"GET /user/security">;

function Sums({ found: { severities, images, uncounted, partial, worst } }: { readonly found: Found }) {
  if (images === 0) return <p className="empty">{words.none}</p>;
  return (
    <>
      <p>
        <SeverityBar counts={{ ...severities, partial: uncounted + partial > 0, feeds: "current" }} />
      </p>
      <p>{words.images(images, uncounted, partial)}</p>
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

function countOrDash(count: number | undefined): string {
  return count === undefined ? "–" : formatCount(count);
}
