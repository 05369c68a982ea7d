import { call } from "../api/call.ts";
import type { Given, ResultOf } from "../api/operation.ts";
import { maxRows } from "../api/use-pages.ts";

/** A tag in a list. */
export type ListedTag = ResultOf<"GET /repository/{repository}/tag/">["tags"][number];

/** The query for the first page of a repository's tags. The list of tags and the pull command share its answer. */
export const firstTags = { onlyActiveTags: true, limit: 50, total: true, severities: true, page: 1 } as const;

/** The tags of all pages of a query, for a file; of very many the first. */
export async function readAllTags({
  params,
  query,
}: Given<"GET /repository/{repository}/tag/">): Promise<readonly ListedTag[]> {
  const tags: ListedTag[] = [];
  for (let page = 1; ; page++) {
    const list = await call("GET /repository/{repository}/tag/", { params, query: { ...query, limit: 100, page } });
    tags.push(...list.tags);
    if (!list.has_additional || tags.length >= maxRows) return tags;
  }
}

/** What the change of a tag makes stale. */
export const ofTags = [
  "GET /repository/{repository}/tag/",
  "GET /repository/{repository}",
  "GET /repository/{repository}/manifest/{manifestref}",
] as const;
