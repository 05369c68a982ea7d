import type { listRepoTags } from "../api/generated/tag.ts";
import type { ResultOf } from "../api/operation.ts";

/** A tag as a list has it. */
export type ListedTag = ResultOf<typeof listRepoTags>["tags"][number];

/** Asks for the first page of the tags of a repository, which the list of tags and the command that pulls share. */
export const firstTags = { onlyActiveTags: true, limit: 50, severities: true, page: 1 } as const;
