import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { listRepoTags } from "../api/generated/tag.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/command.tsx";
import { PageButtons } from "../shared/page-buttons.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import { firstTags } from "./tag-query.ts";
import { TagTable } from "./tag-table.tsx";

const words = texts.repository;

/** Mirrors, builds and pruning change tags while another tab of the repository is looked at: what was read for that one is asked for again. */
const justReadMs = 1_000;

interface Props extends RepositoryName {
  readonly mayChange: boolean;
}

/** The tags of a repository, the latest first, a page at a time; the filter and the page are in the address. */
export function TagList({ namespace, repository, mayChange }: Props) {
  const [part, setPart] = useSearchParam("tag");
  const [pageText, setPage] = useSearchParam("page");
  const page = Math.max(1, Number.parseInt(pageText, 10) || 1);
  const deferred = useDeferredValue(part);
  const filter = (text: string) => {
    setPage(""); // the first page of what is filtered: there may be no other
    setPart(text);
  };
  const query = {
    ...firstTags,
    page,
    ...(deferred !== "" && { filter_tag_name: `like:${deferred}` }),
  };
  const tags = useOperation(
    listRepoTags,
    { params: { repository: `${namespace}/${repository}` }, query },
    { placeholderData: keepPreviousData, staleTime: justReadMs },
  );
  return (
    <>
      <SearchField label={words.filter} value={part} onValue={filter} />
      <Answered query={tags}>
        {({ tags: list, has_additional: hasMore }) => (
          <>
            {list.length === 0 ? (
              <NoTag repository={`${namespace}/${repository}`} part={part} mayChange={mayChange} />
            ) : (
              <TagTable namespace={namespace} repository={repository} tags={list} mayChange={mayChange} />
            )}
            <PageButtons page={page} hasMore={hasMore} onPage={(next) => setPage(String(next))} />
          </>
        )}
      </Answered>
    </>
  );
}

interface NoTagProps {
  /** With its namespace. */
  readonly repository: string;
  /** What tags were filtered by. */
  readonly part: string;
  readonly mayChange: boolean;
}

/** Why there is no tag, and how the first one is pushed. */
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
