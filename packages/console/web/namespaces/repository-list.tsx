import { usePages } from "../api/use-pages.ts";
import { Paged } from "../shared/paged.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { texts } from "../texts/texts.ts";
import { RepositoryTable } from "./repository-table.tsx";

const words = texts.namespace;

/** The repositories of a namespace that the visitor can see. The filter is in the address. */
export function RepositoryList({ namespace }: { readonly namespace: string }) {
  const [filter, setFilter] = useSearchParam("filter");
  const query = { namespace, public: true, last_modified: true, daily_pulls: true, severities: true };
  return (
    <>
      <SearchField label={words.filter} value={filter} onValue={setFilter} />
      <Paged query={usePages("GET /repository", { query })}>
        {(pages) => {
          const repositories = pages.flatMap((page) => page.repositories);
          if (repositories.length === 0) return <p className="empty">{words.none}</p>;
          return (
            <RepositoryTable repositories={repositories.filter(({ name }) => name.includes(filter.toLowerCase()))} />
          );
        }}
      </Paged>
    </>
  );
}
