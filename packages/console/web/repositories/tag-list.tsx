import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { listRepoTags } from "../api/generated/tag.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
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
              <p className="empty">{part === "" ? words.none : words.noneLike(part)}</p>
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
