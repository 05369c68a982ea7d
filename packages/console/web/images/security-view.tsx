import { DownloadIcon } from "@primer/octicons-react";
import { Link } from "wouter";
import { call } from "../api/call.ts";
import { useCurrentUser } from "../api/current-user.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Failure } from "../shared/failure.tsx";
import { saveFile } from "../shared/save-file.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatCount, shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { CoverageLine } from "./coverage-line.tsx";
import { findingsOf, type Security, summaryOf } from "./findings.ts";
import { FindingsView } from "./findings-view.tsx";
import {
  missingResultText,
  type ScanStatus,
  type ShownImage,
  ShownImageContext,
  useShownImage,
} from "./shown-image.ts";

const words = texts.findings;

/** How often the result of a queued image is fetched again, in milliseconds. */
const refetchEveryMs = 3000;

interface Props {
  readonly repository: string;
  readonly digest: string;
  readonly view: "vulnerabilities" | "packages";
}

/** The result of a scan, or the reason why there is none. */
export function SecurityView({ repository, digest, view }: Props) {
  const security = useOperation(
    "GET /repository/{repository}/manifest/{manifestref}/security",
    { params: { repository, manifestref: digest }, query: {} },
    { refetchInterval: ({ state }) => (state.data?.status === "queued" ? refetchEveryMs : false) },
  );
  return (
    <Answered query={security}>
      {({ status, data, reason }) => {
        if (data === null) return <WithoutResult status={status} reason={reason} />;
        const { Layer: found } = data;
        const findings = findingsOf(found);
        return (
          <ShownImageContext value={{ repository, digest }}>
            <div className="overview">
              <div>
                <p className="summary">{findings.length === 0 ? words.none : words.summary(summaryOf(findings))}</p>
                <Downloads />
              </div>
              <CoverageLine found={found} />
            </div>
            {view === "packages" ? <PackageTable features={found.Features} /> : <FindingsView findings={findings} />}
          </ShownImageContext>
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

type Feature = Security["Features"][number];

/** The packages of an image by name. */
function PackageTable({ features }: { readonly features: readonly Feature[] }) {
  const sorted = [...features].sort((one, other) => (one.Name < other.Name ? -1 : 1));
  return (
    <Table
      columns={columns}
      rows={sorted}
      keyOf={({ Name, Version }, index) => `${Name} ${Version} ${index}`}
      empty={words.noPackages}
    />
  );
}

const columns: readonly Column<Feature>[] = [
  { title: words.packageColumns.name, isName: true, cell: ({ Name }) => Name },
  { title: words.packageColumns.version, cell: ({ Version }) => Version },
  {
    title: words.packageColumns.findings,
    isNumber: true,
    cell: ({ Vulnerabilities = [] }) => formatCount(Vulnerabilities.length),
  },
  {
    title: words.packageColumns.layer,
    cell: ({ AddedBy }) => <code title={AddedBy}>{shortDigest(AddedBy)}</code>,
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
