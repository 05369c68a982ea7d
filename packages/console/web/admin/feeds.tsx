import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { SearchField } from "../shared/fields.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

type Answer = ResultOf<"GET /superuser/feeds">;
type LoadedFeed = NonNullable<Answer["feeds"]>[number];
type MissingFeed = NonNullable<Answer["missing"]>[number];

/** A feed that is loaded, or that the settings ask for. */
type Feed = Partial<LoadedFeed> & MissingFeed;

const words = texts.administration.feeds;

/** The feeds that images are matched against: their age, missing feeds, and errors of updates. */
export function Feeds() {
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={useOperation("GET /superuser/feeds", {})}>
        {({ feeds, missing }) =>
          feeds === null ? (
            <p className="empty">{words.unknown}</p>
          ) : (
            <>
              {feeds.length === 0 && <p className="empty">{words.none}</p>}
              <FeedTable feeds={[...(missing ?? []), ...feeds]} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

/** The feeds whose names contain the filter text, which is in the address. */
function FeedTable({ feeds }: { readonly feeds: readonly Feed[] }) {
  const [text, setText] = useSearchParam("feed");
  if (feeds.length === 0) return undefined;
  const shown = feeds.filter(({ name }) => name.includes(text.trim().toLowerCase()));
  return (
    <>
      <SearchField label={words.filter} value={text} onValue={setText} />
      <Table columns={columns} rows={shown} keyOf={({ name }) => name} empty={words.noneLike(text)} />
    </>
  );
}

const columns: readonly Column<Feed>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => name },
  { title: words.columns.kind, cell: ({ kind }) => (kind ? words.kinds[kind] : "–") },
  { title: words.columns.rows, isNumber: true, cell: ({ rows }) => countOf(rows) },
  { title: words.columns.dropped, isNumber: true, cell: ({ dropped }) => countOf(dropped) },
  { title: words.columns.changed, cell: ({ changed_at: at }) => ageOf(at) },
  { title: words.columns.checked, cell: ({ checked_at: at }) => ageOf(at) },
  {
    title: words.columns.state,
    isText: true,
    cell: (feed) => (
      <>
        {stateOf(feed)}
        {feed.last_failure && <Failure {...feed.last_failure} />}
        {feed.records && <Records {...feed.records} />}
      </>
    ),
  },
];

function countOf(count: number | undefined) {
  return count === undefined ? "–" : formatCount(count);
}

/** What became of the records: how many were read, withdrawn, not usable, and left out, with a tooltip for each rule. */
function Records({ read, withdrawn, failed, skipped }: NonNullable<LoadedFeed["records"]>) {
  const counts = { read, withdrawn, failed };
  const parts = outcomes.flatMap((each) =>
    counts[each] > 0 ? [`${formatCount(counts[each])} ${words.outcomes[each]}`] : [],
  );
  return (
    <>
      <div>{words.records(parts.join(", "))}</div>
      {skipped.map(({ rule, meaning, count, example }) => (
        <div key={rule} title={example}>
          {formatCount(count)} {words.outcomes.skipped}: {meaning}
        </div>
      ))}
    </>
  );
}

const outcomes = ["read", "withdrawn", "failed"] as const;

function ageOf(at: number | undefined) {
  return at === undefined ? "–" : <Time at={at} />;
}

function stateOf({ is_outdated: isOutdated, last_failure: failure, rows, records }: Feed) {
  if (isOutdated === undefined) return <strong>{words.missing}</strong>;
  if (rows === 0 && records && records.total > 0) return <strong>{words.useless}</strong>;
  if (isOutdated) return <strong>{words.outdated}</strong>;
  return failure ? words.usable : words.current;
}

/** Why the last update of a feed failed. */
function Failure({ failed_at: at, reason }: NonNullable<Feed["last_failure"]>) {
  return (
    <div>
      {words.failed} <Time at={at} />: {reason}
    </div>
  );
}
