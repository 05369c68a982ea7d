import { AlertIcon, CheckCircleIcon, ClockIcon } from "@primer/octicons-react";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { CoverageNotice } from "../findings/coverage-notice.tsx";
import { Answered } from "../shared/answered.tsx";
import { Digest } from "../shared/copy-button.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { PageButtons } from "../shared/page-buttons.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { type FindingPage, pageLength, useFindingPage } from "./findings.ts";
import { useShownImage } from "./shown-image.ts";

const words = texts.findings;

/** The coverage of a scan, the age of its advisories, and the suppressed findings. */
export function CoverageLine({ found }: { readonly found: FindingPage }) {
  const { problems, problem_count: count, counts } = found;
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
        <AlertIcon /> {words.notAssessed(count)} – {words.showProblems}
      </>
    );
  return (
    <CoverageNotice title={title} gaps={gaps}>
      <DataAge found={found} />
      <SuppressedPart count={counts.suppressed} />
    </CoverageNotice>
  );
}

/** When the advisories were last checked: the earliest check of all feeds. */
function DataAge({ found: { feeds } }: { readonly found: FindingPage }) {
  const checked = feeds.flatMap(({ CheckedAt }) => (CheckedAt === undefined ? [] : [Date.parse(CheckedAt)]));
  if (checked.length === 0) return undefined;
  return (
    <p>
      <ClockIcon /> {words.advisoriesFrom} <Time at={Math.min(...checked)} />
    </p>
  );
}

type Suppressed = NonNullable<FindingPage["suppressed"]>[number];

/** Findings that are suppressed by VEX statements or rules, on demand. */
function SuppressedPart({ count }: { readonly count: number }) {
  if (count === 0) return undefined;
  return (
    <OnDemand label={words.suppressed(count)}>
      <SuppressedList />
    </OnDemand>
  );
}

/** Suppressed findings with author and reason. */
function SuppressedList() {
  const [page, setPage] = useState(1);
  const image = useShownImage();
  const answer = useFindingPage(image, { list: "suppressed", page });
  return (
    <Answered query={answer}>
      {({ data }) => {
        const { suppressed = [], total, has_additional: hasMore = false } = data ?? {};
        return (
          <>
            <Table
              columns={columns}
              rows={suppressed}
              keyOf={({ Name, Package, Source }) => `${Name} ${Package} ${Source}`}
            />
            <PageButtons
              page={page}
              hasMore={hasMore}
              rows={{ count: suppressed.length, length: pageLength, total }}
              onPage={setPage}
            />
            {suppressed.some(isByDocument) && (
              <OnDemand label={texts.pullGate.documents.title}>
                <GateDocuments {...image} />
              </OnDemand>
            )}
          </>
        );
      }}
    </Answered>
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
