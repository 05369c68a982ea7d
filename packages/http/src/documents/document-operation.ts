import type { TSchema } from "typebox";
import type { Input } from "../exchange.ts";
import type { ApiTypes, Operation } from "../operation.ts";
import type { Nothing } from "../result-of.ts";

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** What a handler resolves to when there is no answer yet: 202 without a body, in place of the success. */
export const pending = Symbol("pending");

/** What operations over JSON documents declare besides what every operation does. */
export interface DocumentMembers<Given = Input, Context = unknown, Output = unknown> {
  /** Statuses of refusals besides 500, which every operation may have. */
  readonly refusals: readonly number[];
  /** The schema that the OpenAPI document has in place of `body`, where more is accepted than clients should send. */
  readonly publishedBody?: TSchema;
  /**
   * The result is an async iterable of what this schema describes: written while it comes, as one JSON document a line, or as an
   * array for clients that ask for `application/json`.
   */
  readonly lines?: boolean;
  /** Headers of the success, by what they hold. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer when `If-None-Match` names the current entity tag. */
  readonly unchanged?: 304 | 412;
  /** The body is written piece by piece; what goes wrong on the way is told in a trailer. */
  readonly trailer?: boolean;
  /** Headers of the success and of `unchanged`, known before anything is done. */
  links?(input: Given, context: Context): Headers;
  /** The current entity tag without its quotes; undefined when there is none. Asked before `handle`. */
  entityTag?(input: Given, context: Context): Promise<string | undefined>;
  /** Headers of the success alone. */
  headersOf?(input: Given, context: Context): Headers;
  /** The entity tag without its quotes, where only the result tells it. */
  tagOf?(input: Given, context: Context, result: Output): string | undefined;
}

/** {@link ApiTypes} of operations over JSON documents. */
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

/** An operation over JSON documents, bound to its context. */
export interface DocumentOperation
  extends Operation,
    Omit<DocumentMembers, "links" | "entityTag" | "headersOf" | "tagOf"> {
  links?(input: Input): Headers;
  entityTag?(input: Input): Promise<string | undefined>;
  headersOf?(input: Input): Headers;
  tagOf?(input: Input, result: unknown): string | undefined;
  handle(input: Input): Promise<unknown>;
}

/** The short name of the media type of what a schema describes: its title. */
export function typeNameOf(schema: TSchema): string {
  return (schema as { readonly title?: string }).title ?? "document";
}
