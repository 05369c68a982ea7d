import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useOperation } from "../api/use-operation.ts";
import { BarChart, SizeBar } from "../charts/bar-chart.tsx";
import { namedRepositoryPath } from "../places.ts";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { type SecuredNamespace, type Span, SpanChoice, severityColumns, useSpan } from "./trend.tsx";

const words = texts.fleet.usage;

/** How long the vulnerabilities of a namespace's images have been known, how large its repositories are, and how often they are pulled. */
export function NamespaceOverview({ namespace, isOrganization }: SecuredNamespace) {
  const { data } = useRegistryConfig();
  return (
    <>
      {data?.features.SECURITY_SCANNER === true && <Ages namespace={namespace} isOrganization={isOrganization} />}
      {isOrganization ? <OrganizationUsage organization={namespace} /> : <UserUsage />}
    </>
  );
}

function Ages({ namespace, isOrganization }: SecuredNamespace) {
  const own = useOperation("GET /user/security/ages", {}, { enabled: !isOrganization });
  const params = { orgname: namespace };
  const shared = useOperation("GET /organization/{orgname}/security/ages", { params }, { enabled: isOrganization });
  return (
    <Section title={texts.fleet.ages.title} about={texts.fleet.ages.about}>
      <Answered query={isOrganization ? shared : own}>
        {({ ages, images, uncounted, partial }) => (
          <>
            <p>{texts.fleet.images(images, uncounted, partial)}</p>
            <Table
              columns={ageColumns}
              rows={ages}
              keyOf={({ under_days: days }) => String(days)}
              file={{ name: "ages" }}
            />
          </>
        )}
      </Answered>
    </Section>
  );
}

type Age = ResultOf<"GET /user/security/ages">["ages"][number];

const ageColumns: readonly Column<Age>[] = [
  { title: texts.fleet.ages.age, isName: true, cell: ({ under_days: days }) => texts.fleet.ages.under(days) },
  ...severityColumns,
  { title: texts.fleet.columns.fixable, isNumber: true, cell: ({ severities: counts }) => formatCount(counts.fixable) },
  {
    title: texts.fleet.columns.exploited,
    isNumber: true,
    cell: ({ severities: counts }) => formatCount(counts.known_exploited),
  },
];

function UserUsage() {
  const span = useSpan();
  return <UsageView span={span} query={useOperation("GET /user/usage", { query: { days: span.days } })} />;
}

function OrganizationUsage({ organization }: { readonly organization: string }) {
  const span = useSpan();
  const params = { orgname: organization };
  const query = useOperation("GET /organization/{orgname}/usage", { params, query: { days: span.days } });
  return <UsageView span={span} query={query} />;
}

/** How large all repositories of the registry are and how often they are pulled, by day. */
export function RegistryUsage() {
  const span = useSpan();
  return <UsageView span={span} query={useOperation("GET /superuser/usage", { query: { days: span.days } })} />;
}

type Usage = ResultOf<"GET /user/usage">;

interface UsageProps {
  readonly span: Span;
  readonly query: Parameters<typeof Answered<Usage>>[0]["query"];
}

function UsageView({ span, query }: UsageProps) {
  return (
    <Section title={words.title} about={words.about}>
      <SpanChoice {...span} />
      <Answered query={query}>{(usage) => <Charts {...usage} />}</Answered>
    </Section>
  );
}

function Charts({ days, repositories }: Usage) {
  const [first, last] = [days[0]?.day ?? "", days.at(-1)?.day ?? ""];
  const pulls = days.flatMap(({ day, pulls: count }) => (count === null ? [] : [{ name: day, value: count }]));
  const largest = repositories.map((each): Largest => ({ ...each, most: repositories[0]?.size_bytes ?? 0 }));
  return (
    <>
      <h3>{words.storage(formatSize(days.at(-1)?.size_bytes ?? 0))}</h3>
      <BarChart
        label={words.storageLabel(first, last)}
        bars={days.map(({ day, size_bytes: bytes }) => ({ name: day, value: bytes }))}
        format={formatSize}
      />
      <h3>{words.pulls(formatCount(sumOf(pulls.map(({ value }) => value))), pulls.length)}</h3>
      {pulls.length === 0 ? (
        <p className="empty">{words.noPulls}</p>
      ) : (
        <BarChart label={words.pullsLabel(pulls[0]?.name ?? "", pulls.at(-1)?.name ?? "")} bars={pulls} />
      )}
      <details>
        <summary>{texts.fleet.figures}</summary>
        <Table columns={dayColumns} rows={days.toReversed()} keyOf={({ day }) => day} file={{ name: "usage" }} />
      </details>
      <h3>{words.largest}</h3>
      <Table
        columns={largestColumns}
        rows={largest}
        keyOf={({ repository }) => repository}
        empty={words.none}
        file={{ name: "largest-repositories" }}
      />
    </>
  );
}

const { columns: titles } = words;

const dayColumns: readonly Column<Usage["days"][number]>[] = [
  { title: texts.fleet.day, isName: true, cell: ({ day }) => day },
  {
    title: titles.size,
    isNumber: true,
    text: ({ size_bytes: bytes }) => String(bytes),
    cell: ({ size_bytes: bytes }) => formatSize(bytes),
  },
  { title: titles.pulls, isNumber: true, cell: ({ pulls }) => (pulls === null ? "–" : formatCount(pulls)) },
];

/** One of the largest repositories, with the size of the largest. */
type Largest = Usage["repositories"][number] & { readonly most: number };

const largestColumns: readonly Column<Largest>[] = [
  {
    title: titles.repository,
    isName: true,
    text: ({ repository }) => repository,
    cell: ({ repository }) => <Link href={namedRepositoryPath(repository)}>{repository}</Link>,
  },
  {
    title: titles.size,
    text: ({ size_bytes: bytes }) => String(bytes),
    cell: ({ size_bytes: bytes, most }) => <SizeBar bytes={bytes} largest={most} />,
  },
  {
    title: titles.change,
    isNumber: true,
    text: (each) => String(changeOf(each)),
    cell: (each) => formatChange(changeOf(each)),
  },
  { title: titles.pulls, isNumber: true, cell: ({ pulls }) => formatCount(sumOf(pulls)) },
];

/** By how many bytes it has grown since the first day. */
function changeOf({ sizes, size_bytes: bytes }: Largest): number {
  return bytes - (sizes[0] ?? bytes);
}

function formatChange(bytes: number): string {
  if (bytes === 0) return "0";
  return bytes > 0 ? `+${formatSize(bytes)}` : `−${formatSize(-bytes)}`;
}

function sumOf(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
