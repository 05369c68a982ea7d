import type { ResultOf } from "../api/operation.ts";

/** The name of a repository, split into its two parts. */
export interface RepositoryName {
  readonly namespace: string;
  readonly repository: string;
}

/** A repository as the management API shows it. */
export type ShownRepository = ResultOf<"GET /repository/{repository}">;

/** What is asked for with a repository: the tag to pull, and not its tags, which their view pages through. */
export const shownWithRepository = { includeTags: false, pullTag: true } as const;
