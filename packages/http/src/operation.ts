import type { Static, TObject, TSchema } from "typebox";

/** The methods of operations. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The schema of an operation without that part: nothing is known of it. */
export type Absent = TObject<Record<never, never>>;

/** A request or response body: the short name of its media type and what it looks like. */
export interface Content<Schema extends TSchema = TSchema> {
  /** `index_report`; the API makes media types of it. */
  readonly type: string;
  readonly schema: Schema;
  /** What the OpenAPI document says in place of `schema`, where more is accepted than clients should send. */
  readonly published?: TSchema;
  /**
   * The body is an async iterable of what the schema describes: written while it comes, as one JSON document a line, or as an
   * array for clients that ask for `application/json`.
   */
  readonly lines?: boolean;
}

/** What everybody may know of an operation: routing, checks and the OpenAPI document derive from it. */
export interface Declaration {
  /** Unique in the API, in camel case: `getIndexReport`. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces: `/indexer/api/v1/index_report/{digest}`. */
  readonly path: string;
  readonly summary: string;
  /** Exempt from the stability promise of the API. */
  readonly internal?: boolean;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly request?: Content;
  /** Absent where the success has no body. */
  readonly response?: Content;
  readonly success: 200 | 201 | 202 | 204;
  /** Statuses of refusals besides 500, which every operation may have. */
  readonly refusals: readonly number[];
  /** Headers of the success, by what they hold. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer when `If-None-Match` names the current entity tag. */
  readonly unchanged?: 304 | 412;
  /** The body is written piece by piece; what goes wrong on the way is told in a trailer. */
  readonly trailer?: boolean;
}

/** A request that passed all checks. Not to be spread: the signal would not come along. */
export interface Input<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The media type of the answer, as negotiated. */
  readonly mediaType: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

/** What an operation answers. */
export interface Outcome<Body = unknown> {
  readonly body?: Body;
  readonly headers?: Headers;
  /** The entity tag of what is in the body, where only the work itself can tell it; without quotes. */
  readonly entityTag?: string;
  /** There is no answer yet: 202 without a body, in place of the success. */
  readonly isPending?: true;
}

/** An operation over the object that does the work. */
export interface Operation<Context, Params = unknown, Query = unknown, Body = unknown, Result = unknown>
  extends Declaration {
  /** Headers of the success and of `unchanged`, known before anything is done. */
  links?(input: Input<Params, Query, Body>): Headers;
  /** The current entity tag without its quotes; undefined when there is none. Asked before `handle`. */
  entityTag?(input: Input<Params, Query, Body>, context: Context): Promise<string | undefined>;
  handle(input: Input<Params, Query, Body>, context: Context): Promise<Outcome<Result>>;
}

/** The schemas that the types of an operation's functions come from. */
interface Schemas<Params extends TObject, Query extends TObject, Body extends TSchema, Result extends TSchema> {
  readonly params?: Params;
  readonly query?: Query;
  readonly request?: Content<Body>;
  readonly response?: Content<Result>;
}

type SchemaName = "params" | "query" | "request" | "response";

/**
 * Declares an operation. The types of `input` and of the outcome follow from the schemas; the kernel calls the functions
 * only with input that it has checked against them.
 */
export function operation<
  Context,
  Params extends TObject = Absent,
  Query extends TObject = Absent,
  Body extends TSchema = Absent,
  Result extends TSchema = Absent,
>(
  declared: Schemas<Params, Query, Body, Result> &
    Omit<Operation<Context, Static<Params>, Static<Query>, Static<Body>, Readonly<Static<Result>>>, SchemaName>,
): Operation<Context> {
  return declared as unknown as Operation<Context>; // input is checked against the same schemas before it gets here
}

/** An operation whose object is at hand. */
export type BoundOperation = Operation<void>;

/** Gives operations the object that does their work. */
export function bind<Context>(operations: readonly Operation<Context>[], context: Context): readonly BoundOperation[] {
  return operations.map(({ entityTag, handle, ...declared }) => ({
    ...declared,
    ...(entityTag && { entityTag: (input: Input) => entityTag(input, context) }),
    handle: (input) => handle(input, context),
  }));
}
