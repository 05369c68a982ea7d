import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { Command } from "../shared/command.tsx";
import { PageButtons } from "../shared/page-buttons.tsx";
import { pageNumber } from "../shared/page-number.ts";
import { SearchField } from "../shared/search-field.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import type { RepositoryName } from "./repository-name.ts";
import { firstTags } from "./tag-query.ts";
import { TagTable } from "./tag-table.tsx";

const words = texts.repository;

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
  const deferred = useDeferredValue(part);
  const filter = (text: string) => {
    replacePage(""); // the filtered list may have only one page
    setPart(text);
  };
  const query = {
    ...firstTags,
    page,
    filter_tag_name: deferred !== "" ? `like:${deferred}` : undefined,
  };
  const tags = useOperation(
    "GET /repository/{repository}/tag/",
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
