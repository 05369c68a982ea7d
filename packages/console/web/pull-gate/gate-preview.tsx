import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { PageButtons } from "../shared/page-buttons.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type PreviewedTag = ResultOf<"GET /repository/{repository}/pullgate/preview">["tags"][number];

const words = texts.pullGate.preview;

/** The current decision of the gates for each tag of a repository. */
export function GatePreview({ repository }: { readonly repository: string }) {
  const [page, setPage] = useState(1);
  const preview = useOperation(
    "GET /repository/{repository}/pullgate/preview",
    { params: { repository }, query: { page } },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <p>{words.about}</p>
      <Answered query={preview}>
        {({ tags, has_additional: hasMore }) => (
          <>
            <Table columns={columns} rows={tags} keyOf={({ name }) => name} empty={words.none} />
            <PageButtons page={page} hasMore={hasMore} onPage={setPage} />
          </>
        )}
      </Answered>
    </>
  );
}

function pullOf({ denied, would_deny: wouldDeny }: PreviewedTag) {
  if (denied) return <strong>{words.denied}</strong>;
  return wouldDeny ? words.wouldDeny : words.allowed;
}

function whyOf({ opinions }: PreviewedTag): string {
  return opinions.map(opinionText).join("; ") || "–";
}

function opinionText(opinion: PreviewedTag["opinions"][number]): string {
  const { gate, verdict, findings, vulnerabilities, missing } = opinion;
  const counted = findings === 0 ? "" : ` (${words.counted(findings, vulnerabilities.join(", "))})`;
  const stated = (opinion.statements ?? []).map(({ by }) => words.stated(by));
  const ignored = (opinion.ignored_statements ?? []).map(({ reason }) => words.ignored(reason));
  return [`${words.gates[gate]}: ${missing ?? words.verdicts[verdict]}${counted}`, ...stated, ...ignored].join(", ");
}

const columns: readonly Column<PreviewedTag>[] = [
  { title: words.columns.tag, isName: true, cell: ({ name }) => name },
  { title: words.columns.pull, cell: pullOf },
  { title: words.columns.why, isText: true, cell: whyOf },
];
