import type { TSchema } from "typebox";
import type { Input } from "../exchange.ts";
import type { ApiTypes, Nothing, Operation } from "../operation.ts";

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** The result of a handler that has no result yet: the response is 202 without a body. */
export const pending = Symbol("pending");

/**
 * The result of a handler with headers of its own.
 * @example
 * const counted = (items: readonly string[]) => new ResultWithHeaders(items, { "x-count": String(items.length) });
 */
export class ResultWithHeaders {
  readonly result: unknown;
  readonly headers: Headers;

  constructor(result: unknown, headers: Headers) {
    this.result = result;
    this.headers = headers;
  }
}

/** Members of declarations that only operations of JSON documents have. */
export interface DocumentMembers<Given = Input, Context = unknown, Output = unknown> {
  /** The statuses of errors besides 500, which every operation may have. */
  readonly refusals: readonly number[];
  /** The schema in the OpenAPI document instead of `body`, if the operation accepts more than clients should send. */
  readonly publishedBody?: TSchema;
  /**
   * Whether the result is an async iterable of items of the schema. It is streamed, with one JSON document on each line, or as an array
   * to clients that request `application/json`.
   */
  readonly lines?: boolean;
  /** Descriptions of the headers of a success, by header name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The status if `If-None-Match` names the current entity tag. */
  readonly unchanged?: 304 | 412;
  /** Whether the body is streamed with a trailer, which contains an error that occurred meanwhile. */
  readonly trailer?: boolean;
  /** Headers of a success and of `unchanged`, known before `handle` runs. */
  links?(input: Given, context: Context): Headers;
  /** The current entity tag without its quotes; undefined if there is none. Called before `handle`. */
  entityTag?(input: Given, context: Context): Promise<string | undefined>;
  /** Headers of a success only. */
  headersOf?(input: Given, context: Context): Headers;
  /** The entity tag without its quotes, if it depends on the result. */
  tagOf?(input: Given, context: Context, result: Output): string | undefined;
}

/** {@link ApiTypes} of operations of JSON documents. */
export interface DocumentTypes<Context> extends ApiTypes {
  readonly context: Context;
  readonly admission: object;
  readonly accessMembers: object;
  readonly feature: string;
  readonly logKind: string;
  readonly members: DocumentMembers<this["input"], Context, this["output"]>;
  readonly plainResult: Nothing;
  readonly operation: DocumentOperation;
}

/** An operation of JSON documents, bound to its context. */
export interface DocumentOperation
  extends Operation,
    Omit<DocumentMembers, "links" | "entityTag" | "headersOf" | "tagOf"> {
  links?(input: Input): Headers;
  entityTag?(input: Input): Promise<string | undefined>;
  headersOf?(input: Input): Headers;
  tagOf?(input: Input, result: unknown): string | undefined;
  handle(input: Input): Promise<unknown>;
}

/** The short name of the media type of a schema: its title. */
export function typeNameOf(schema: TSchema): string {
  return (schema as { readonly title?: string }).title ?? "document";
}
