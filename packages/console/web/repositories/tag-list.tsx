import { keepPreviousData } from "@tanstack/react-query";
import { type ComponentProps, useDeferredValue } from "react";
import { Link } from "wouter";
import { useChange, useChanges } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { imagePath } from "../places.ts";
import { SeverityBar, severitiesText } from "../severities/severity-bar.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Command, Digest } from "../shared/copy-button.tsx";
import { SearchField } from "../shared/fields.tsx";
import { PageButtons, pageNumber } from "../shared/page-buttons.tsx";
import { type Order, useOrder, useSearchParam } from "../shared/search-param.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import { LastDayField, TagEnd, TagLifetime, typedEnd } from "./tag-lifetime.tsx";
import { firstTags, type ListedTag, ofTags, readAllTags } from "./tag-query.ts";

const words = texts.repository;
const lifetimeWords = texts.tagLifetime;

/** The age at which the list is fetched again, in milliseconds: mirrors, builds and pruning change tags while another view is open. */
const justReadMs = 1_000;

interface Props extends RepositoryName {
  readonly mayChange: boolean;
}

/** The tags of a repository in pages, the latest first. The filter and the page are in the address. */
export function TagList({ namespace, repository, mayChange }: Props) {
  const [part, setPart] = useSearchParam("tag");
  const [pageText, setPage] = useSearchParam("page", "added");
  const [, replacePage] = useSearchParam("page");
  const page = pageNumber(pageText);
  const order = useOrder(["name", "changed", "size"], "-changed");
  const deferred = useDeferredValue(part);
  const filter = (text: string) => {
    replacePage(""); // the filtered list may have only one page
    setPart(text);
  };
  const query = {
    ...firstTags,
    page,
    order: order.value === "-changed" ? undefined : order.value, // the first page is shared with the pull command
    filter_tag_name: deferred !== "" ? `like:${deferred}` : undefined,
  };
  const params = { repository: `${namespace}/${repository}` };
  const tags = useOperation(
    "GET /repository/{repository}/tag/",
    { params, query },
    { placeholderData: keepPreviousData, staleTime: justReadMs },
  );
  return (
    <>
      <SearchField label={words.filter} value={part} onValue={filter} />
      <Answered query={tags}>
        {({ tags: list, has_additional: hasMore, total }) => (
          <>
            {list.length === 0 ? (
              <NoTag repository={`${namespace}/${repository}`} part={part} mayChange={mayChange} />
            ) : (
              <TagTable
                namespace={namespace}
                repository={repository}
                tags={list}
                mayChange={mayChange}
                order={order}
                all={() => readAllTags({ params, query })}
              />
            )}
            <PageButtons
              page={page}
              hasMore={hasMore}
              rows={{ count: list.length, length: firstTags.limit, total }}
              onPage={(next) => setPage(String(next))}
            />
          </>
        )}
      </Answered>
    </>
  );
}

interface NoTagProps {
  /** NAMESPACE/NAME */
  readonly repository: string;
  /** The filter. */
  readonly part: string;
  readonly mayChange: boolean;
}

/** The reason why no tag is listed, or the commands that push the first one. */
function NoTag({ repository, part, mayChange }: NoTagProps) {
  if (part !== "") return <p className="empty">{words.noneLike(part)}</p>;
  if (!mayChange) return <p className="empty">{words.none}</p>;
  const image = `${window.location.host}/${repository}:1.0`;
  return (
    <>
      <p className="empty">{words.pushFirst}</p>
      <Command line={`docker tag debian:12 ${image}`} />
      <Command line={`docker push ${image}`} />
    </>
  );
}

interface TagTableProps extends RepositoryName {
  readonly tags: readonly ListedTag[];
  readonly mayChange: boolean;
  readonly order: Order;
  /** All tags that the filter lets through, in the order. */
  readonly all: () => Promise<readonly ListedTag[]>;
}

/** A table of tags with their images and actions. */
function TagTable({ namespace, repository, tags, mayChange, order, all }: TagTableProps) {
  const name: Column<ListedTag> = {
    title: columns.tag,
    isName: true,
    order: "name",
    text: ({ name: tag }) => tag,
    cell: ({ name: tag }) => <Link href={imagePath(namespace, repository, { kind: "tag", tag })}>{tag}</Link>,
  };
  const actions: Column<ListedTag> = {
    title: columns.actions,
    cell: ({ name: tag, immutable: isImmutable }) =>
      !isImmutable && <TagActions namespace={namespace} repository={repository} tag={tag} />,
  };
  const expires: Column<ListedTag> = {
    title: columns.expires,
    text: ({ end_ts: at }) => timeText(at && at * 1000),
    cell: (tag) =>
      mayChange ? <TagLifetime namespace={namespace} repository={repository} tag={tag} /> : <TagEnd tag={tag} />,
  };
  const shown = [name, ...others, expires, ...(mayChange ? [actions] : [])];
  const choice: ComponentProps<typeof Table<ListedTag>>["choice"] = mayChange
    ? {
        mayChoose: ({ immutable: isImmutable }) => !isImmutable,
        actions: (chosen) => <ChosenActions namespace={namespace} repository={repository} tags={chosen} />,
      }
    : undefined;
  return (
    <Table
      columns={shown}
      rows={tags}
      keyOf={(tag) => tag.name}
      choice={choice}
      order={order}
      file={{ name: `${repository}-tags`, all }}
    />
  );
}

const { columns } = texts.repository;

/** Without the operating system that nearly all images are for. */
function namesOf(platforms: readonly string[]): string {
  return platforms.map((name) => name.replace(/^linux\//, "")).join(", ");
}

const others: readonly Column<ListedTag>[] = [
  {
    title: columns.digest,
    isExtra: true,
    text: ({ manifest_digest: digest }) => digest,
    cell: ({ manifest_digest: digest }) => <Digest digest={digest} />,
  },
  {
    title: texts.severities.title,
    text: ({ severities = null }) => severitiesText(severities),
    cell: ({ severities = null }) => <SeverityBar counts={severities} />,
  },
  {
    title: columns.size,
    isNumber: true,
    order: "-size",
    text: ({ size }) => String(size ?? ""),
    cell: ({ size }) => (size === null ? "–" : formatSize(size)),
  },
  { title: columns.platforms, cell: ({ platforms = [] }) => (platforms.length > 0 ? namesOf(platforms) : "–") },
  {
    title: columns.changed,
    order: "-changed",
    text: ({ start_ts: at }) => timeText(at * 1000),
    cell: ({ start_ts: at }) => <Time at={at * 1000} />,
  },
];

/** The actions of several tags. */
function ChosenActions({ namespace, repository, tags }: RepositoryName & { readonly tags: readonly ListedTag[] }) {
  const expiry = useChanges("PUT /repository/{repository}/tag/{tag}", ofTags);
  const each = tags.map(({ name: tag }) => ({ params: { repository: `${namespace}/${repository}`, tag } }));
  return (
    <>
      <ChangeForm
        label={lifetimeWords.save}
        change={expiry}
        given={(typed) => each.map((of) => ({ ...of, body: { expiration: typedEnd(typed) } }))}
      >
        <LastDayField />
      </ChangeForm>
      <ChosenButton
        label={words.deleteTags}
        consequence={words.deletedTags(tags.length)}
        operation="DELETE /repository/{repository}/tag/{tag}"
        affected={ofTags}
        given={each}
      />
    </>
  );
}

/** The actions of a tag. */
function TagActions({ namespace, repository, tag }: RepositoryName & { readonly tag: string }) {
  const change = useChange("DELETE /repository/{repository}/tag/{tag}", ofTags);
  const params = { repository: `${namespace}/${repository}`, tag };
  return (
    <ConfirmedButton label={words.deleteTag} consequence={words.deletedTag(tag)} change={change} given={{ params }} />
  );
}
