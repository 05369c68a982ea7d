import { Link } from "wouter";
import { imagePath } from "../places.ts";
import { SeverityBar } from "../severities/severity-bar.tsx";
import { Digest } from "../shared/digest.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount, formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import { TagActions } from "./tag-actions.tsx";
import { TagEnd, TagLifetime } from "./tag-lifetime.tsx";
import type { ListedTag } from "./tag-query.ts";

interface Props extends RepositoryName {
  readonly tags: readonly ListedTag[];
  readonly mayChange: boolean;
}

/** A table of tags with their images and actions. */
export function TagTable({ namespace, repository, tags, mayChange }: Props) {
  const name: Column<ListedTag> = {
    title: columns.tag,
    isName: true,
    cell: ({ name: tag }) => <Link href={imagePath(namespace, repository, { kind: "tag", tag })}>{tag}</Link>,
  };
  const actions: Column<ListedTag> = {
    title: columns.actions,
    cell: ({ name: tag }) => <TagActions namespace={namespace} repository={repository} tag={tag} />,
  };
  const expires: Column<ListedTag> = {
    title: columns.expires,
    cell: (tag) =>
      mayChange ? <TagLifetime namespace={namespace} repository={repository} tag={tag} /> : <TagEnd tag={tag} />,
  };
  const shown = [name, ...others, expires, ...(mayChange ? [actions] : [])];
  return <Table columns={shown} rows={tags} keyOf={(tag) => tag.name} />;
}

const { columns } = texts.repository;

const others: readonly Column<ListedTag>[] = [
  { title: columns.digest, cell: ({ manifest_digest: digest }) => <Digest digest={digest} /> },
  { title: texts.severities.title, cell: ({ severities = null }) => <SeverityBar counts={severities} /> },
  { title: columns.size, isNumber: true, cell: ({ size }) => (size === null ? "–" : formatSize(size)) },
  { title: columns.platforms, isNumber: true, cell: ({ child_manifest_count: count = 1 }) => formatCount(count) },
  { title: columns.changed, cell: ({ start_ts: at }) => <Time at={at * 1000} /> },
];
