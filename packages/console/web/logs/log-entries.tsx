import { metadataText } from "../shared/metadata-text.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { LogEntry } from "./log-calls.ts";

const words = texts.logs;

interface Props {
  readonly entries: readonly LogEntry[];
  /** The kind that is shown alone; empty: all. */
  readonly kind: string;
}

/** Entries of a usage log, the latest first. */
export function LogEntries({ entries, kind }: Props) {
  const shown = kind === "" ? entries : entries.filter((each) => each.kind === kind);
  return (
    <Table
      columns={columns}
      rows={shown}
      keyOf={({ datetime, kind: each }, index) => `${datetime} ${each} ${index}`}
      empty={entries.length === 0 ? words.none : words.noneOfKind}
    />
  );
}

/** The kind of an entry, in words. */
export function kindText(kind: string): string {
  return kind.replaceAll("_", " ");
}

const columns: readonly Column<LogEntry>[] = [
  { title: words.columns.when, cell: ({ datetime }) => <Time at={Date.parse(datetime)} /> },
  { title: words.columns.what, isName: true, cell: ({ kind }) => kindText(kind) },
  { title: words.columns.who, cell: ({ performer }) => performer.name || words.anonymous },
  { title: words.columns.from, cell: ({ ip }) => ip || "–" },
  { title: words.columns.about, isText: true, cell: metadataText },
];
