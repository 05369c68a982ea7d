import { listFeeds } from "../api/generated/superuser.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

type Feed = NonNullable<ResultOf<typeof listFeeds>["feeds"]>[number];

const words = texts.administration.feeds;

/** The feeds that images are matched with, and how old they are. */
export function Feeds() {
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={useOperation(listFeeds, {})}>
        {({ feeds }) =>
          feeds === null ? (
            <p className="empty">{words.unknown}</p>
          ) : (
            <Table columns={columns} rows={feeds} keyOf={({ name }) => name} empty={words.none} />
          )
        }
      </Answered>
    </Section>
  );
}

const columns: readonly Column<Feed>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => name },
  { title: words.columns.kind, cell: ({ kind }) => words.kinds[kind] },
  { title: words.columns.rows, isNumber: true, cell: ({ rows }) => formatCount(rows) },
  { title: words.columns.dropped, isNumber: true, cell: ({ dropped }) => formatCount(dropped) },
  { title: words.columns.changed, cell: ({ changed_at: at }) => <Time at={at} /> },
  { title: words.columns.checked, cell: ({ checked_at: at }) => <Time at={at} /> },
  {
    title: words.columns.state,
    cell: ({ is_outdated: isOutdated }) => (isOutdated ? <strong>{words.outdated}</strong> : words.current),
  },
];
