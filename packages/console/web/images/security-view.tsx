import { DownloadIcon } from "@primer/octicons-react";
import { type ReactNode, useDeferredValue } from "react";
import { Link } from "wouter";
import { call } from "../api/call.ts";
import { useCurrentUser } from "../api/current-user.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { PackageName } from "../findings/package-use.tsx";
import { countsOf } from "../severities/severities.ts";
import { Answered } from "../shared/answered.tsx";
import { Failure } from "../shared/failure.tsx";
import { pageNumber } from "../shared/page-buttons.tsx";
import { saveFile } from "../shared/save-file.ts";
import { type Order, useOrder, useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { CoverageLine } from "./coverage-line.tsx";
import { type FindingPage, type FindingQuery, readAllFindings, totalOf, useFindingPage } from "./findings.ts";
import { FindField, FindingsView, FoundPages, useFindingQuery } from "./findings-view.tsx";
import {
  missingResultText,
  type ScanStatus,
  type ShownImage,
  ShownImageContext,
  useShownImage,
} from "./shown-image.ts";

const words = texts.findings;

interface Props {
  readonly repository: string;
  readonly digest: string;
  readonly view: "vulnerabilities" | "packages";
}

/** The result of a scan, or the reason why there is none. */
export function SecurityView({ repository, digest, view }: Props) {
  return (
    <ShownImageContext key={`${repository}@${digest} ${view}`} value={{ repository, digest }}>
      {view === "packages" ? <Packages /> : <Vulnerabilities />}
    </ShownImageContext>
  );
}

function Vulnerabilities() {
  const query = useFindingQuery();
  return (
    <WithResult page={useFindingPage(useShownImage(), query)}>
      {(found) => <FindingsView found={found} query={query} />}
    </WithResult>
  );
}

/** The packages of an image. The filter, the order and the page are in the address. */
function Packages() {
  const [text] = useSearchParam("find");
  const [page] = useSearchParam("page");
  const order = useOrder(["package", "findings"], "package");
  const find = useDeferredValue(text);
  const query: FindingQuery = { list: "packages", find: find || undefined, order: order.value, page: pageNumber(page) };
  return (
    <WithResult page={useFindingPage(useShownImage(), query)}>
      {(found) => (
        <>
          <FindField label={words.filterPackages} />
          <PackageTable packages={found.packages ?? []} order={order} query={query} />
          <FoundPages found={found} />
        </>
      )}
    </WithResult>
  );
}

interface WithResultProps {
  readonly page: ReturnType<typeof useFindingPage>;
  readonly children: (found: FindingPage) => ReactNode;
}

function WithResult({ page, children }: WithResultProps) {
  return (
    <Answered query={page}>
      {({ status, data: found, reason }) => {
        if (found === null) return <WithoutResult status={status} reason={reason} />;
        const { findings, vulnerabilities } = found.counts;
        const { known_exploited: exploited, fixable } = findings;
        const total = totalOf(findings);
        return (
          <>
            <div className="overview">
              <div>
                <p className="summary">
                  {total === 0 ? words.none : words.summary({ exploited, fixable, others: total - fixable })}
                </p>
                {total > 0 && <p className="detail">{words.ofVulnerabilities(total, countsOf(vulnerabilities))}</p>}
                <Downloads />
              </div>
              <CoverageLine found={found} />
            </div>
            {children(found)}
          </>
        );
      }}
    </Answered>
  );
}

interface WithoutResultProps {
  readonly status: ScanStatus;
  readonly reason?: string | undefined;
}

/** The reason why a scan has no result. For superusers, it links to the scan jobs if one waits or has failed. */
function WithoutResult({ status, reason }: WithoutResultProps) {
  const isSuperuser = useCurrentUser().data?.super_user === true;
  const state = { queued: "waiting", failed: "dead" }[status as string];
  return (
    <>
      <p role="status">{missingResultText(status, reason)}</p>
      {isSuperuser && state !== undefined && (
        <p>
          <Link href={`/admin?view=jobs&state=${state}`}>{texts.image.jobs}</Link>
        </p>
      )}
    </>
  );
}

type FoundPackage = NonNullable<FindingPage["packages"]>[number];

interface PackageTableProps {
  readonly packages: readonly FoundPackage[];
  readonly order: Order;
  readonly query: FindingQuery;
}

function PackageTable({ packages, order, query }: PackageTableProps) {
  const image = useShownImage();
  return (
    <Table
      columns={columns}
      rows={packages}
      keyOf={({ package: { Name, Version } }, index) => `${Name} ${Version} ${index}`}
      empty={words.noPackages}
      order={order}
      file={{
        name: `${image.repository.replaceAll("/", "-")}-packages`,
        all: () => readAllFindings(image, query, (page) => page.packages ?? []),
      }}
    />
  );
}

const columns: readonly Column<FoundPackage>[] = [
  {
    title: words.packageColumns.name,
    isName: true,
    order: "package",
    text: ({ package: { Name } }) => Name,
    cell: ({ package: { Name }, needed_by: neededBy, reached }) => (
      <PackageName name={Name} neededBy={neededBy} reached={reached} />
    ),
  },
  { title: words.packageColumns.version, cell: ({ package: { Version } }) => Version },
  {
    title: words.packageColumns.findings,
    isNumber: true,
    order: "-findings",
    cell: ({ findings }) => (findings === null ? "–" : formatCount(findings)),
  },
  {
    title: words.packageColumns.layer,
    text: ({ package: { AddedBy } }) => AddedBy,
    cell: ({ package: { AddedBy } }) => <code title={AddedBy}>{shortDigest(AddedBy)}</code>,
  },
];

const downloadWords = texts.downloads;

type Format = keyof typeof downloadWords.formats;

/** The report of the image as a file, in the formats of other tools. */
function Downloads() {
  const image = useShownImage();
  const download = useOneAtATime({ mutationFn: (format: Format) => saveReport(image, format) });
  return (
    <section className="actions" aria-label={downloadWords.title}>
      <span className="detail">
        <DownloadIcon /> {downloadWords.title}
      </span>
      {(Object.keys(downloadWords.formats) as Format[]).map((format) => (
        <button key={format} type="button" disabled={download.isPending} onClick={() => download.mutate(format)}>
          {downloadWords.formats[format]}
        </button>
      ))}
      {download.data === null && <p role="status">{downloadWords.noReport}</p>}
      {download.isError && <Failure error={download.error} />}
    </section>
  );
}

async function saveReport({ repository, digest }: ShownImage, format: Format) {
  const params = { repository, manifestref: digest };
  const { document: file } = await call("GET /repository/{repository}/manifest/{manifestref}/security/report", {
    params,
    query: { format },
  });
  if (file !== null) saveFile(file.file_name, new Blob([file.content], { type: file.media_type }));
  return file;
}
