import { Link } from "wouter";
import { repositoryPath } from "../places.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

/** A repository as a list has it. */
export interface ListedRepository {
  readonly namespace: string;
  readonly name: string;
  readonly is_public: boolean;
  readonly state: string;
  /** In seconds. */
  readonly last_modified?: number | null;
  readonly popularity?: number;
}

interface Props {
  readonly repositories: readonly ListedRepository[];
  readonly withNamespace?: boolean;
}

/** Repositories with what tells whether they are in use. */
export function RepositoryTable({ repositories, withNamespace = false }: Props) {
  const name: Column<ListedRepository> = {
    title: words.columns.name,
    isName: true,
    cell: (repository) => (
      <Link href={repositoryPath(repository.namespace, repository.name)}>
        {withNamespace && `${repository.namespace}/`}
        {repository.name}
      </Link>
    ),
  };
  return <Table columns={[name, ...others]} rows={repositories} keyOf={(each) => `${each.namespace}/${each.name}`} />;
}

const words = texts.namespace;

const others: readonly Column<ListedRepository>[] = [
  { title: words.columns.state, cell: ({ is_public: isPublic }) => (isPublic ? words.public : words.private) },
  { title: words.columns.changed, cell: ({ last_modified: at }) => (at ? <Time at={at * 1000} /> : "–") },
  { title: words.columns.activity, isNumber: true, cell: ({ popularity = 0 }) => formatCount(Math.round(popularity)) },
];
