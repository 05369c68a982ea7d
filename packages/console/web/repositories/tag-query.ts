import type { ResultOf } from "../api/operation.ts";

/** A tag in a list. */
export type ListedTag = ResultOf<"GET /repository/{repository}/tag/">["tags"][number];

/** The query for the first page of a repository's tags. The list of tags and the pull command share its answer. */
export const firstTags = { onlyActiveTags: true, limit: 50, severities: true, page: 1 } as const;

/** What the change of a tag makes stale. */
export const ofTags = [
  "GET /repository/{repository}/tag/",
  "GET /repository/{repository}",
  "GET /repository/{repository}/manifest/{manifestref}",
] as const;
