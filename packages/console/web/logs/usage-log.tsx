import type { UseQueryResult } from "@tanstack/react-query";
import { listOrgLogs, listRepoLogs, listUserLogs } from "../api/generated/logs.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { MoreRows, useShownRows } from "../shared/more-rows.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

type Log = ResultOf<typeof listRepoLogs>;
type Entry = Log["logs"][number];

const words = texts.usageLog;

/** The latest entries of the usage log of a repository. */
export function RepositoryLog({ repository }: { readonly repository: string }) {
  return <Entries log={useOperation(listRepoLogs, { params: { repository }, query: {} })} />;
}

/** The latest entries of the usage log of an organization. */
export function OrganizationLog({ organization }: { readonly organization: string }) {
  return <Entries log={useOperation(listOrgLogs, { params: { orgname: organization }, query: {} })} />;
}

/** The latest entries of the usage log of the visitor's own namespace. */
export function OwnLog() {
  return <Entries log={useOperation(listUserLogs, { query: {} })} />;
}

function Entries({ log }: { readonly log: UseQueryResult<Log> }) {
  return <Answered query={log}>{({ logs }) => <EntryTable entries={logs} />}</Answered>;
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  const shown = useShownRows(entries);
  if (entries.length === 0) return <p className="empty">{words.none}</p>;
  return (
    <>
      <p>{words.about}</p>
      <Table
        columns={columns}
        rows={shown.rows}
        keyOf={({ datetime, kind }, index) => `${datetime} ${kind} ${index}`}
      />
      <MoreRows {...shown} />
    </>
  );
}

/** What an entry says of its subject: the members of its metadata that are short texts. */
function subjectOf({ metadata }: Entry): string {
  const texts = Object.entries(metadata).filter((each): each is [string, string] => typeof each[1] === "string");
  return texts.map(([name, value]) => `${name}: ${value}`).join(", ");
}

const columns: readonly Column<Entry>[] = [
  { title: words.columns.when, cell: ({ datetime }) => <Time at={Date.parse(datetime)} /> },
  { title: words.columns.what, isName: true, cell: ({ kind }) => kind.replaceAll("_", " ") },
  { title: words.columns.who, cell: ({ performer }) => performer?.name ?? words.anonymous },
  { title: words.columns.from, cell: ({ ip }) => ip ?? "–" },
  { title: words.columns.about, cell: subjectOf },
];
