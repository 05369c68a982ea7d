import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** Something cannot be taken over. The message says why, for the report; the rest goes on. */
export class NotTaken extends Error {
  override readonly name = "NotTaken";
}

/** The reading operations of a registry's management API. */
export interface ReadingApi {
  /**
   * @param path what follows `/api/v1`, with its query
   * @returns the JSON of the answer; undefined where there is no such thing
   * @throws NotTaken for a refusal
   */
  get(path: string): Promise<unknown>;
}

/** The management API of the registry that is filled. */
export interface WritingApi extends ReadingApi {
  /** @returns the JSON of the answer; undefined in a dry run, which sends nothing @throws NotTaken for a refusal */
  send(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<unknown>;
}

/** A path whose segments are escaped. Repositories have slashes in their names, which stay. */
export function pathOf(strings: TemplateStringsArray, ...values: readonly string[]): string {
  const escaped = values.map((value) => value.split("/").map(encodeURIComponent).join("/"));
  return String.raw({ raw: strings }, ...escaped);
}

/** Reads a document of the API. @returns undefined where there is none @throws NotTaken also for another shape */
export async function read<Schema extends TSchema>(
  api: ReadingApi,
  path: string,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  const body = await api.get(path);
  return body === undefined ? undefined : inShape(path, schema, body);
}

/** How a list is read. */
export interface Listing<Schema extends TSchema, Item> {
  readonly schema: Schema;
  items(page: Static<Schema>): readonly Item[];
  /** What tells one from all others. */
  keyOf(item: Item): string;
  /** The query that the next page is asked for with; undefined after the last. */
  next(page: Static<Schema>, number: number): string | undefined;
}

/** So many entries of one list are read. */
const maxItems = 1_000_000;

/**
 * Reads a list page by page. A list that is not there has no entries.
 * @throws NotTaken for another shape, and for a list that repeats itself or has no end
 */
export async function* readAll<Schema extends TSchema, Item>(
  api: ReadingApi,
  path: string,
  { schema, items, keyOf, next }: Listing<Schema, Item>,
): AsyncIterable<Item> {
  const seen = new Set<string>();
  let query: string | undefined = "";
  for (let number = 1; query !== undefined; number++) {
    const page: Static<Schema> | undefined = await read(api, withQuery(path, query), schema);
    if (page === undefined) return;
    query = next(page, number);
    const fresh = items(page).filter((item) => !seen.has(keyOf(item)));
    if (fresh.length === 0 && query !== undefined) throw new NotTaken(`${path}: page ${number} says nothing new`);
    for (const item of fresh) {
      seen.add(keyOf(item));
      yield item;
    }
    if (seen.size > maxItems) throw new NotTaken(`${path}: the list has more than ${maxItems} entries`);
  }
}

/** A list as a whole. @throws NotTaken as {@link readAll} does */
export async function listAll<Schema extends TSchema, Item>(
  api: ReadingApi,
  path: string,
  listing: Listing<Schema, Item>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of readAll(api, path, listing)) items.push(item);
  return items;
}

function withQuery(path: string, query: string): string {
  if (query === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

const checks = new WeakMap<TSchema, ReturnType<typeof Compile>>();

function inShape<Schema extends TSchema>(path: string, schema: Schema, body: unknown): Static<Schema> {
  const check = checks.get(schema) ?? Compile(schema);
  checks.set(schema, check as ReturnType<typeof Compile>);
  if (check.Check(body)) return body as Static<Schema>;
  const [first] = check.Errors(body);
  const where = first?.instancePath || "/";
  throw new NotTaken(
    `${path}: the response does not have the expected form: ${where} ${first?.message ?? "is malformed"}`,
  );
}
