import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Digest } from "../shared/copy-button.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { shortDigest } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import type { ListedTag } from "./tag-query.ts";

const words = texts.history;

/** The history of tags: the digests that they pointed to, and when. An ended one can be restored. */
export function TagHistory({ namespace, repository, mayChange }: RepositoryName & { readonly mayChange: boolean }) {
  const params = { repository: `${namespace}/${repository}` };
  const history = useOperation("GET /repository/{repository}/tag/", {
    params,
    query: { onlyActiveTags: false, limit: 100 },
  });
  const restore: Column<ListedTag> = {
    title: words.columns.actions,
    cell: (tag) => hasEnded(tag) && <Restore repository={params.repository} tag={tag} />,
  };
  return (
    <Answered query={history}>
      {({ tags }) => (
        <Table
          columns={[...columns, ...(mayChange ? [restore] : [])]}
          rows={tags}
          keyOf={({ name, start_ts: at }) => `${name} ${at}`}
          empty={words.none}
        />
      )}
    </Answered>
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

const columns: readonly Column<ListedTag>[] = [
  { title: words.columns.tag, isName: true, cell: ({ name }) => name },
  { title: words.columns.digest, cell: ({ manifest_digest: digest }) => <Digest digest={digest} /> },
  { title: words.columns.from, cell: ({ start_ts: at }) => <Time at={at * 1000} /> },
  { title: words.columns.until, cell: (tag) => (hasEnded(tag) ? <Time at={(tag.end_ts ?? 0) * 1000} /> : words.now) },
];
