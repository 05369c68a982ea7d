import type { RepositorySubject } from "@plimsoll/registry/access/on-repository";
import { listCountsOf } from "@plimsoll/registry/content/queries/finding-counts";
import { countTags, type ListedTag, listTags, type TagOrder } from "@plimsoll/registry/content/queries/listed-tags";
import { type LoggedTagChange, listTagChangesAt, tagChangeKinds } from "@plimsoll/registry/content/queries/tags";
import { worstOf } from "@plimsoll/registry/content/worst-counts";
import type { CallContext } from "@plimsoll/registry/context";
import { invalidRequest } from "@plimsoll/registry/errors";
import { shownTotal } from "@plimsoll/registry/lists/list-pages";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { isTagName } from "@plimsoll/registry/values/names";
import { cooperativeYield } from "@plimsoll/store";
import { imageSeverities, type TagView, tagView } from "./views.ts";

/** The query parameters of a list of tags. */
export interface TagListRequest {
  readonly onlyActiveTags?: boolean;
  readonly page?: number;
  readonly limit?: number;
  /** `like:part` or `eq:name`. */
  readonly filter_tag_name?: string;
  readonly specificTag?: string;
  readonly order?: TagOrder;
  /** Whether the number of all tags that the filters let through is shown. */
  readonly total?: boolean;
  /** Whether the counts of vulnerabilities are shown. */
  readonly severities?: boolean;
  /** Whether the view has the user who pushed each tag, for callers who may read the usage log. */
  readonly pushers?: boolean;
  /** Whether the view has who began and who ended each lifetime, for the same callers. */
  readonly actors?: boolean;
}

/** One page of the lifetimes of a repository's tags. */
interface TagPage {
  readonly tags: readonly TagView[];
  readonly page: number;
  readonly has_additional: boolean;
  /** Absent if not asked for, and where there are more than are counted. */
  readonly total?: number;
}

/** One page of the lifetimes of a repository's tags, the latest first where no order is asked for. @throws RegistryError `invalid_request` */
export async function listRepositoryTags(
  { repository: { id: repositoryId }, role }: RepositorySubject,
  request: TagListRequest,
  { db, now }: CallContext,
): Promise<TagPage> {
  const page = Math.max(1, request.page ?? 1);
  const limit = Math.min(100, Math.max(1, request.limit ?? 50));
  const filter = parseFilter(request.filter_tag_name);
  const name = request.specificTag || filter.name;
  const isNone = (filter.name && filter.name !== name) || (name && !isTagName(name));
  if (isNone) return { tags: [], page, has_additional: false };
  const wanted = { repositoryId, aliveAt: request.onlyActiveTags ? now : undefined, ...filter, name };
  const rows = await listTags(db, {
    ...wanted,
    order: request.order,
    offset: (page - 1) * limit,
    limit: limit + 1,
  });
  const total = request.total ? shownTotal(await countTags(db, wanted)) : undefined;
  const found = await pageOf(rows, { page, limit });
  const listed = total === undefined ? found : { ...found, total };
  const counted = request.severities ? await withSeverities(db, listed, rows) : listed;
  if (role !== "admin") return counted;
  const starts = rows.map((tag) => tag.start_at);
  const read = (instants: readonly number[], kinds: readonly (typeof tagChangeKinds)[number][]) =>
    listTagChangesAt(db, { repositoryId, instants: [...new Set(instants)], kinds });
  const pushed = request.pushers ? withPushers(counted, rows, await read(starts, ["push_repo"])) : counted;
  if (!request.actors) return pushed;
  const ends = rows.flatMap(({ end_at: at }) => (at === null || at > now ? [] : [at]));
  return withActors(pushed, rows, await read([...starts, ...ends], tagChangeKinds));
}

async function withSeverities(db: RegistryDb, listed: TagPage, rows: readonly ListedTag[]): Promise<TagPage> {
  const manifests = rows.slice(0, listed.tags.length).map(({ manifest_id }) => manifest_id);
  const counts = Map.groupBy(await listCountsOf(db, [...new Set(manifests)]), ({ shownBy }) => shownBy);
  const tags = listed.tags.map((tag, index) => {
    const images = counts.get(manifests[index] ?? "") ?? [];
    return { ...tag, severities: imageSeverities(worstOf(images)) };
  });
  return { ...listed, tags };
}

/** Adds the user who pushed each tag. The usage log records a push at the instant at which the lifetime of its tag begins. */
function withPushers(listed: TagPage, rows: readonly ListedTag[], pushes: readonly LoggedTagChange[]): TagPage {
  const pushers = changeFinder(pushes);
  const tags = listed.tags.map((tag, index) => {
    const by = pushers(tag.name, rows[index]?.start_at)?.performer_name;
    return by == null ? tag : { ...tag, pushed_by: by };
  });
  return { ...listed, tags };
}

/** Adds who began and who ended each lifetime. A tag that was moved ends one and begins another. */
function withActors(listed: TagPage, rows: readonly ListedTag[], changes: readonly LoggedTagChange[]): TagPage {
  const find = changeFinder(changes);
  const actorOf = (name: string, at: number | null | undefined) => {
    const found = find(name, at ?? undefined);
    return found && { kind: found.kind, name: found.performer_name ?? "" };
  };
  const tags = listed.tags.map((tag, index) => {
    const { start_at, end_at } = rows[index] ?? {};
    return { ...tag, started_by: actorOf(tag.name, start_at), ended_by: actorOf(tag.name, end_at) };
  });
  return { ...listed, tags };
}

/** Finds the change of a tag at an instant. */
function changeFinder(changes: readonly LoggedTagChange[]) {
  const keyOf = (name: unknown, at: number | undefined) => `${at} ${name}`;
  const found = new Map(changes.map((change) => [keyOf(JSON.parse(change.metadata).tag, change.at), change]));
  return (name: string, at: number | undefined) => found.get(keyOf(name, at));
}

/**
 * The page of the rows, in slices: an index may have thousands of members. Memoized: as long as nothing has changed, the same list of rows is
 * returned for the same page.
 */
const pageOf = memoize(
  async (
    rows: readonly ListedTag[],
    { page, limit }: { readonly page: number; readonly limit: number },
  ): Promise<TagPage> => {
    const giveWay = cooperativeYield();
    const tags: TagView[] = [];
    for (const row of rows.slice(0, limit)) {
      tags.push(tagView(row));
      await giveWay();
    }
    return { tags, page, has_additional: rows.length > limit };
  },
);

/** Parses `like:part` or `eq:name`. @throws RegistryError `invalid_request` */
function parseFilter(text = ""): { readonly name?: string; readonly part?: string } {
  if (text === "") return {};
  const colon = text.indexOf(":");
  const value = text.slice(colon + 1);
  switch (text.slice(0, Math.max(0, colon))) {
    case "like":
      return { part: value };
    case "eq":
      return { name: value };
    default:
      throw invalidRequest("filter_tag_name: expected like:<part> or eq:<name>");
  }
}
/**
 * Memoizes a function by its first argument, an object such as a cached row. The result is frozen. The other arguments must always be
 * the same for the same object.
 */
export function memoize<Thing extends object, More extends readonly unknown[], Made extends object>(
  make: (thing: Thing, ...more: More) => Made,
): (thing: Thing, ...more: More) => Made {
  const known = new WeakMap<Thing, Made>();
  return (thing, ...more) => {
    const before = known.get(thing);
    if (before !== undefined) return before;
    const made = Object.freeze(make(thing, ...more));
    known.set(thing, made);
    return made;
  };
}
