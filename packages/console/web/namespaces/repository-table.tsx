import { Link } from "wouter";
import { repositoryPath } from "../places.ts";
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

const { columns } = texts.namespace;

/** Repositories with what tells whether they are in use. */
export function RepositoryTable({ repositories, withNamespace = false }: Props) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.state}</th>
          <th scope="col">{columns.changed}</th>
          <th scope="col" className="number">
            {columns.activity}
          </th>
        </tr>
      </thead>
      <tbody>
        {repositories.map((repository) => (
          <tr key={`${repository.namespace}/${repository.name}`}>
            <th scope="row">
              <Link href={repositoryPath(repository.namespace, repository.name)}>
                {withNamespace && `${repository.namespace}/`}
                {repository.name}
              </Link>
            </th>
            <td>{repository.is_public ? texts.namespace.public : texts.namespace.private}</td>
            <td>{repository.last_modified ? <Time at={repository.last_modified * 1000} /> : "–"}</td>
            <td className="number">{formatCount(Math.round(repository.popularity ?? 0))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
