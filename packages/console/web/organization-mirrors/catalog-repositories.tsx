import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { usePages } from "../api/use-pages.ts";
import { repositoryPath } from "../places.ts";
import { Paged } from "../shared/paged.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

type Repository = ResultOf<"GET /organization/{orgname}/mirror/repositories">["repositories"][number];

const words = texts.organizationMirrors;

/** How often the list is fetched again, in milliseconds. */
const refetchEveryMs = 15_000;

/** The repositories of the followed catalog, with their state here. */
export function CatalogRepositories({ organization }: { readonly organization: string }) {
  const repositories = usePages(
    "GET /organization/{orgname}/mirror/repositories",
    { params: { orgname: organization }, query: {} },
    { refetchInterval: refetchEveryMs },
  );
  const name: Column<Repository> = {
    title: words.columns.repository,
    cell: ({ repository }) =>
      repository === null ? (
        "–"
      ) : (
        <Link href={`${repositoryPath(organization, repository)}?view=mirror`}>{repository}</Link>
      ),
  };
  return (
    <>
      <h3>{words.found}</h3>
      <Paged query={repositories}>
        {(pages) => (
          <Table
            columns={[external, name, ...others]}
            rows={pages.flatMap((page) => page.repositories)}
            keyOf={(each) => each.external_name}
            empty={words.none}
          />
        )}
      </Paged>
    </>
  );
}

const external: Column<Repository> = {
  title: words.columns.name,
  isName: true,
  cell: ({ external_name: name }) => name,
};

const others: readonly Column<Repository>[] = [
  {
    title: words.columns.state,
    isText: true,
    cell: ({ state, reason }) => `${words.became[state]}${reason === "" ? "" : `: ${reason}`}`,
  },
  { title: words.columns.changed, cell: ({ changed }) => <Time at={Date.parse(changed)} /> },
];
