import { AlertIcon, CheckCircleIcon, ClockIcon } from "@primer/octicons-react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { CoverageNotice } from "../findings/coverage-notice.tsx";
import { Answered } from "../shared/answered.tsx";
import { Digest } from "../shared/copy-button.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { Security } from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

const words = texts.findings;

/** The coverage of a scan, the age of its advisories, and the suppressed findings. */
export function CoverageLine({ found }: { readonly found: Security }) {
  const { Problems: problems = [], Suppressed: suppressed = [] } = found;
  const gaps = problems.map(({ At, Code, Message }) => ({
    key: `${At} ${Code} ${Message}`,
    text: (
      <>
        <code>{At}</code>: {Message}
      </>
    ),
  }));
  const title =
    gaps.length === 0 ? (
      <>
        <CheckCircleIcon /> {words.complete}
      </>
    ) : (
      <>
        <AlertIcon /> {words.notAssessed(gaps.length)} – {words.showProblems}
      </>
    );
  return (
    <CoverageNotice title={title} gaps={gaps}>
      <DataAge found={found} />
      <SuppressedList suppressed={suppressed} />
    </CoverageNotice>
  );
}

/** When the advisories were last checked: the earliest check of all feeds. */
function DataAge({ found: { Feeds: feeds } }: { readonly found: Security }) {
  const checked = feeds.flatMap(({ CheckedAt }) => (CheckedAt === undefined ? [] : [Date.parse(CheckedAt)]));
  if (checked.length === 0) return undefined;
  return (
    <p>
      <ClockIcon /> {words.advisoriesFrom} <Time at={Math.min(...checked)} />
    </p>
  );
}

type Suppressed = Security["Suppressed"][number];

/** Findings that are suppressed by VEX statements or rules, with author and reason. */
function SuppressedList({ suppressed }: { readonly suppressed: readonly Suppressed[] }) {
  const shown = useShownRows(suppressed);
  const image = useShownImage();
  if (suppressed.length === 0) return undefined;
  return (
    <details>
      <summary>{words.suppressed(suppressed.length)}</summary>
      <Table
        columns={columns}
        rows={shown.rows}
        keyOf={({ Name, Package, Source }) => `${Name} ${Package} ${Source}`}
      />
      <MoreRows {...shown} />
      {suppressed.some(isByDocument) && (
        <OnDemand label={texts.pullGate.documents.title}>
          <GateDocuments {...image} />
        </OnDemand>
      )}
    </details>
  );
}

/** Whether an attached document suppresses a finding, which may not count for a pull gate. */
function isByDocument({ Rule, Source }: Suppressed): boolean {
  return Rule === undefined && Source.startsWith("sha");
}

const titles = words.suppressedColumns;

const columns: readonly Column<Suppressed>[] = [
  { title: titles.id, isName: true, cell: ({ Name }) => Name },
  { title: titles.package, isText: true, cell: ({ Package, Version }) => `${Package} ${Version}` },
  {
    title: titles.why,
    cell: ({ Justification, Detail }) => [Justification.replaceAll("_", " "), Detail].filter(Boolean).join(": "),
  },
  { title: titles.author, cell: ({ Author }) => Author || "–" },
  { title: titles.source, cell: ({ Source, Rule }) => (Rule === undefined ? Source : words.byRule) },
  { title: titles.until, cell: ({ Expires }) => (Expires === undefined ? "–" : <Time at={Date.parse(Expires)} />) },
];

type JudgedDocument = ResultOf<"GET /repository/{repository}/manifest/{manifestref}/pullgate">["documents"][number];

const documentWords = texts.pullGate.documents;

/** The VEX documents of an image, and whether they count for the pull gates. */
function GateDocuments({ repository, digest }: { readonly repository: string; readonly digest: string }) {
  const gate = useOperation("GET /repository/{repository}/manifest/{manifestref}/pullgate", {
    params: { repository, manifestref: digest },
  });
  return (
    <>
      <p>{documentWords.about}</p>
      <Answered query={gate}>
        {({ documents }) => (
          <Table
            columns={documentColumns}
            rows={documents}
            keyOf={({ document, artifact }) => `${artifact} ${document}`}
            empty={documentWords.none}
          />
        )}
      </Answered>
    </>
  );
}

function standingText({ counts, by = "", reason = "" }: JudgedDocument["organization"]): string {
  return counts ? documentWords.counts(by) : documentWords.ignored(reason);
}

const documentColumns: readonly Column<JudgedDocument>[] = [
  { title: documentWords.columns.document, isName: true, cell: ({ document }) => <Digest digest={document} /> },
  { title: documentWords.columns.organization, isText: true, cell: ({ organization }) => standingText(organization) },
  { title: documentWords.columns.repository, isText: true, cell: ({ repository }) => standingText(repository) },
];
