import { keepPreviousData } from "@tanstack/react-query";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Digest } from "../shared/copy-button.tsx";
import { SearchField } from "../shared/fields.tsx";
import { PageButtons, pageNumber } from "../shared/page-buttons.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import type { ListedTag } from "./tag-query.ts";

const words = texts.history;

/** The lifetimes of a page. */
const pageLength = 100;

/** The history of tags: the digests that they pointed to, and when. An ended one can be restored. */
export function TagHistory({ namespace, repository, mayChange }: RepositoryName & { readonly mayChange: boolean }) {
  const [part, setPart] = useSearchParam("tag");
  const [pageText, setPage] = useSearchParam("page", "added");
  const [, replacePage] = useSearchParam("page");
  const page = pageNumber(pageText);
  const filterBy = (text: string) => {
    replacePage(""); // the filtered history may have only one page
    setPart(text);
  };
  const params = { repository: `${namespace}/${repository}` };
  const filter = part === "" ? undefined : `like:${part}`;
  const history = useOperation(
    "GET /repository/{repository}/tag/",
    {
      params,
      query: { onlyActiveTags: false, page, limit: pageLength, total: true, actors: true, filter_tag_name: filter },
    },
    { placeholderData: keepPreviousData },
  );
  const restore: Column<ListedTag> = {
    title: words.columns.actions,
    cell: (tag) => hasEnded(tag) && <Restore repository={params.repository} tag={tag} />,
  };
  return (
    <>
      <SearchField label={words.filter} value={part} onValue={filterBy} />
      <Answered query={history}>
        {({ tags, has_additional: hasMore, total }) => (
          <>
            <Table
              columns={[...columns, ...(mayChange ? [restore] : [])].filter(
                ({ title }) => hasActors(tags) || !ofActors.has(title),
              )}
              rows={tags}
              keyOf={({ name, start_ts: at }) => `${name} ${at}`}
              empty={part === "" ? words.none : words.noneLike(part)}
            />
            <PageButtons
              page={page}
              hasMore={hasMore}
              rows={{ count: tags.length, length: pageLength, total }}
              onPage={(next) => setPage(String(next))}
            />
          </>
        )}
      </Answered>
    </>
  );
}

function Restore({ repository, tag }: { readonly repository: string; readonly tag: ListedTag }) {
  const change = useChange("POST /repository/{repository}/tag/{tag}/restore", [
    "GET /repository/{repository}/tag/",
    "GET /repository/{repository}",
    "GET /repository/{repository}/manifest/{manifestref}",
  ]);
  const { name, manifest_digest: digest } = tag;
  const given = { params: { repository, tag: name }, body: { manifest_digest: digest } };
  return (
    <ConfirmedButton
      label={words.restore}
      consequence={words.restored(name, shortDigest(digest))}
      change={change}
      given={given}
    />
  );
}

function hasEnded({ end_ts: at }: ListedTag): boolean {
  return at !== undefined && at * 1000 < Date.now();
}

const { startedBy, endedBy } = words.columns;

/** The columns that those have who may read the usage log. */
const ofActors: ReadonlySet<string> = new Set([startedBy, endedBy]);

function hasActors(tags: readonly ListedTag[]): boolean {
  return tags.some((tag) => tag.started_by !== undefined || tag.ended_by !== undefined);
}

/** Who changed a tag, and how: `deleted by alice`. */
function actorText(actor: ListedTag["started_by"]): string {
  if (actor === undefined) return "–";
  const { kind, name } = actor;
  const did = kind in words.actors ? words.actors[kind as keyof typeof words.actors] : kind;
  return kind === "autoprune_tag_delete" ? did : `${did} ${name || words.noAccount}`;
}

const columns: readonly Column<ListedTag>[] = [
  { title: words.columns.tag, isName: true, cell: ({ name }) => name },
  { title: words.columns.digest, cell: ({ manifest_digest: digest }) => <Digest digest={digest} /> },
  { title: words.columns.from, cell: ({ start_ts: at }) => <Time at={at * 1000} /> },
  { title: startedBy, cell: ({ started_by: actor }) => actorText(actor) },
  { title: words.columns.until, cell: (tag) => (hasEnded(tag) ? <Time at={(tag.end_ts ?? 0) * 1000} /> : words.now) },
  { title: endedBy, cell: ({ ended_by: actor }) => actorText(actor) },
];
