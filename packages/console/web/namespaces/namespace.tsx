import { useState } from "react";
import { useCurrentUser } from "../api/current-user.ts";
import { listRepos } from "../api/generated/repository.ts";
import { useOperation } from "../api/use-operation.ts";
import { Robots } from "../robots/robots.tsx";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Tabs } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { RepositoryTable } from "./repository-table.tsx";

/** A user's or an organization's namespace: its repositories, and for those who administer it its robots. */
export function Namespace({ namespace }: { readonly namespace: string }) {
  const user = useCurrentUser().data;
  const [view] = useSearchParam("view");
  const { robots, ...forAll } = texts.namespace.tabs;
  const organization = user?.organizations?.find(({ name }) => name === namespace);
  const isAdmin = user?.username === namespace || organization?.is_org_admin === true;
  const current = view === "robots" && isAdmin ? "robots" : "repositories";
  return (
    <>
      <h1>{namespace}</h1>
      {isAdmin && <Tabs label={namespace} tabs={{ ...forAll, robots }} current={current} />}
      {current === "robots" ? (
        <Robots namespace={namespace} isOrganization={organization !== undefined} />
      ) : (
        <Repositories namespace={namespace} />
      )}
    </>
  );
}

function Repositories({ namespace }: { readonly namespace: string }) {
  const [pages, setPages] = useState<readonly (string | undefined)[]>([undefined]);
  const [filter, setFilter] = useSearchParam("filter");
  return (
    <>
      <input
        type="search"
        aria-label={texts.namespace.filter}
        placeholder={texts.namespace.filter}
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
      />
      {pages.map((page, index) => (
        <RepositoryPage
          key={page ?? ""}
          namespace={namespace}
          page={page}
          filter={filter}
          onMore={index === pages.length - 1 ? (next) => setPages([...pages, next]) : undefined}
        />
      ))}
    </>
  );
}

interface PageProps {
  readonly namespace: string;
  readonly page: string | undefined;
  readonly filter: string;
  readonly onMore: ((next: string) => void) | undefined;
}

function RepositoryPage({ namespace, page, filter, onMore }: PageProps) {
  const shown = { namespace, public: true, last_modified: true, popularity: true };
  const query = page === undefined ? shown : { ...shown, next_page: page };
  return (
    <Answered query={useOperation(listRepos, { query })}>
      {({ repositories, next_page: next }) => (
        <>
          {repositories.length === 0 ? (
            <p className="empty">{texts.namespace.none}</p>
          ) : (
            <RepositoryTable repositories={repositories.filter(({ name }) => name.includes(filter.toLowerCase()))} />
          )}
          {next !== undefined && onMore !== undefined && (
            <button type="button" onClick={() => onMore(next)}>
              {texts.namespace.more}
            </button>
          )}
        </>
      )}
    </Answered>
  );
}
