import { Link } from "wouter";
import { imagePath } from "../places.ts";
import { Digest } from "../shared/digest.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import { TagActions } from "./tag-actions.tsx";

/** A tag as a list has it. */
export interface ListedTag {
  readonly name: string;
  readonly start_ts: number;
  readonly end_ts?: number;
  readonly manifest_digest: string;
  readonly size: number | null;
  readonly child_manifest_count?: number;
}

interface Props extends RepositoryName {
  readonly tags: readonly ListedTag[];
  readonly mayChange: boolean;
}

/** Tags with their images, and what may be done with them. */
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
  const shown = [name, ...others, ...(mayChange ? [actions] : [])];
  return <Table columns={shown} rows={tags} keyOf={(tag) => tag.name} />;
}

const words = texts.repository;
const { columns } = words;

const others: readonly Column<ListedTag>[] = [
  { title: columns.digest, cell: ({ manifest_digest: digest }) => <Digest digest={digest} /> },
  { title: columns.size, isNumber: true, cell: sizeOf },
  { title: columns.changed, cell: ({ start_ts: at }) => <Time at={at * 1000} /> },
  { title: columns.expires, cell: ({ end_ts: at }) => (at === undefined ? words.never : <Time at={at * 1000} />) },
];

function sizeOf({ size, child_manifest_count: children }: ListedTag): string {
  if (children !== undefined) return words.index(children);
  return size === null ? "–" : formatSize(size);
}
