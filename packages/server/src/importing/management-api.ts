import { schemaProblem } from "@plimsoll/http";
import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** An item cannot be imported. The message is the reason for the report; the import continues. */
export class NotImported extends Error {
  override readonly name = "NotImported";
}

/** The reading operations of a registry's management API. */
export interface ReadingApi {
  /**
   * @param path what follows `/api/v1`, with its query
   * @returns the JSON of the response; undefined for status 404
   * @throws NotImported if the request is rejected
   */
  get(path: string): Promise<unknown>;
}

/** The management API of the registry that receives the import. */
export interface WritingApi extends ReadingApi {
  /** @returns the JSON of the response; undefined in a dry run, which sends nothing @throws NotImported if the request is rejected */
  send(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<unknown>;
}

/**
 * A path with percent-encoded values. Slashes are encoded, too: with them, the name of a repository could end like the path of another
 * operation.
 */
export function pathOf(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: strings }, ...values.map(encodeURIComponent));
}

/** Reads a document of the API. `NoInfer`: to infer a schema from what is expected takes the compiler seconds. @returns undefined if it does not exist @throws NotImported also if it does not match the schema */
export async function read<Schema extends TSchema>(
  api: ReadingApi,
  path: string,
  schema: Schema,
): Promise<NoInfer<Static<Schema>> | undefined> {
  const body = await api.get(path);
  return body === undefined ? undefined : inShape<Schema>(path, schema, body);
}

/** The schema and the pagination of a list. It does not name the type of a page, which would cost the compiler seconds. */
export interface Listing<Item> {
  readonly schema: TSchema;
  /** @param page matches the schema */
  items(page: unknown): readonly Item[];
  /** The identity of an item. */
  keyOf(item: Item): string;
  /** The query of the next page; undefined after the last page. @param page matches the schema */
  next(page: unknown, number: number): string | undefined;
}

/** The items of a list. */
export type ItemOf<List> = List extends Listing<infer Item> ? Item : never;

/** The most entries of one list. */
const maxItems = 1_000_000;

/**
 * Reads a list page by page. A missing list has no entries.
 * @throws NotImported if a page does not match the schema, and for a list that repeats itself or has no end
 */
export async function* readAll<Item>(
  api: ReadingApi,
  path: string,
  { schema, items, keyOf, next }: Listing<Item>,
): AsyncIterable<Item> {
  const seen = new Set<string>();
  let query: string | undefined = "";
  for (let number = 1; query !== undefined; number++) {
    const page: unknown = await read(api, withQuery(path, query), schema);
    if (page === undefined) return;
    query = next(page, number);
    const fresh = items(page).filter((item) => !seen.has(keyOf(item)));
    if (fresh.length === 0 && query !== undefined) throw new NotImported(`${path}: page ${number} has no new entry`);
    for (const item of fresh) {
      seen.add(keyOf(item));
      yield item;
    }
    if (seen.size > maxItems) throw new NotImported(`${path}: the list has more than ${maxItems} entries`);
  }
}

/** Reads a whole list. @throws NotImported as {@link readAll} does */
export async function listAll<Item>(api: ReadingApi, path: string, listing: Listing<Item>): Promise<readonly Item[]> {
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
  const problem = schemaProblem(check.Errors(body));
  throw new NotImported(`${path}: the response does not have the expected form: body${problem}`);
}
