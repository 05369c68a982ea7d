import type { FastifyReply } from "fastify";
import type { Static, TObject, TSchema } from "typebox";
import type { Access } from "./access.ts";
import type { Input } from "./exchange.ts";

/** The methods of operations. */
export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** The schema of an absent part of a request. */
export type Absent = TObject<Record<never, never>>;

/** The description of an operation: routing, checks and documents derive from it. */
export interface Declaration {
  /** Unique in the API, in camel case. Names the operation in metrics, in the access log and in traces. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces: `/indexer/api/v1/index_report/{digest}`. */
  readonly path: string;
  readonly summary: string;
  /** Whether it is exempt from the stability promise of the API. */
  readonly internal?: boolean;
  /** Formats of path parameters; without it, any text is accepted. */
  readonly params?: TObject;
  /** Path parameters whose values are secrets: spans then have the path's template instead of the path. */
  readonly secretParams?: readonly string[];
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Whether HEAD is not answered although GET is. */
  readonly withoutHead?: boolean;
  /**
   * Whether what it is about has an `ETag`: then it judges conditions itself. Of all others, no tag in `If-Match` is the version, and a
   * change under `If-None-Match: *` is refused.
   */
  readonly hasVersion?: true;
  readonly success: number;
  /** The body of a success; absent if it has none. */
  readonly result?: TSchema;
  /** The feature that the operation belongs to; it is rejected if the feature is off. */
  readonly feature?: string;
  /** The kinds of log entries that the operation may write. */
  readonly audit?: readonly string[];
}

/** An operation in the kernel. Its functions get values that its schemas and its access have checked. */
export interface Operation extends Declaration {
  readonly access?: Access;
  /** Slow work, such as requests to other hosts, done before the transaction. */
  prepare?(input: Input, context: unknown): Promise<unknown>;
  /** Does the work. Resolves to the body of a success. */
  handle(input: Input, context: unknown): Promise<unknown>;
}

/**
 * The types that the operations of one API share, for {@link operationsFor}. `context`, `members` and `operation` may refer to the types of
 * the declared operation, which are the last members: `this["audited"]`, `this["input"]`.
 */
export interface ApiTypes {
  /** The second argument of functions of operations. */
  readonly context: unknown;
  /** The argument of `access.admit`, without the path parameters. */
  readonly admission: object;
  /** Members of `access` that only this API's stages and documents read. */
  readonly accessMembers: object;
  readonly feature: string;
  /** All kinds of log entries. */
  readonly logKind: string;
  /** Members of declarations that only this API's stages and documents read. */
  readonly members: object;
  /** What a handler without `result` resolves to. */
  readonly plainResult: unknown;
  /** The type of operations in this API's stages. */
  readonly operation: Operation;
  /** The kinds that the operation declares. */
  readonly audited: string;
  readonly input: unknown;
  readonly output: unknown;
  /** The method and the path of the operation: `GET /thing/{id}`. */
  readonly request: string;
  /** What clients send and receive; undefined for a part that the operation does not have. */
  readonly query: unknown;
  readonly body: unknown;
  readonly result: unknown;
}

/** The types of operations that send their replies themselves, for {@link operationsFor}. */
export interface ReplyTypes<Context> extends ApiTypes {
  readonly context: Context;
  readonly admission: object;
  readonly accessMembers: object;
  readonly feature: never;
  readonly logKind: never;
  readonly members: object;
  /** The reply, which is sent. */
  readonly plainResult: FastifyReply;
  readonly operation: Operation;
}

/** The parts of a declaration that types are inferred from. @internal */
export interface Inferred<Verb, Path, Query, Body, Result, Kind> {
  readonly method: Verb;
  readonly path: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly result?: Result;
  readonly audit?: readonly Kind[];
}

/** @internal */
export type ContextOf<Types extends ApiTypes, Kind, Given> = (Types & {
  readonly audited: Kind;
  readonly input: Given;
})["context"];

/** @internal */
export type MembersOf<Types extends ApiTypes, Kind, RequestInput, Output> = (Types & {
  readonly audited: Kind;
  readonly input: RequestInput;
  readonly output: Output;
})["members"];

/** The functions of an operation with the types of its parts. @internal */
export interface Functions<Context, Given, Prepared, Output> {
  prepare?(input: Given, context: Context): Promise<Prepared>;
  handle(input: Given & { readonly prepared: Prepared }, context: Context): Promise<Output>;
}

/** An operation of an API, with the types of its parts. */
export type TypedOperation<
  Types extends ApiTypes,
  Verb extends Method,
  Path extends string,
  Subject,
  Query extends TObject,
  Body extends TSchema,
  Result extends TSchema | undefined,
  Prepared,
  Kind extends string,
  // NoInfer: to infer a schema from a handler takes the compiler a second in every package
  Given = Input<PathParams<Path>, NoInfer<Static<Query>>, NoInfer<Static<Body>>, Subject, undefined>,
  Output = NoInfer<ResultOf<Result, Types["plainResult"]>>,
> = Inferred<Verb, Path, Query, Body, Result, Kind> &
  Omit<Declaration, "params" | "feature" | keyof Inferred<0, 0, 0, 0, 0, 0>> & {
    readonly params?: PathSchema<Path>;
    readonly feature?: Types["feature"];
    readonly access?: Access<Subject, Types["admission"] & { readonly params: PathParams<Path> }> &
      Types["accessMembers"];
  } & Functions<ContextOf<Types, Kind, Given>, Omit<Given, "prepared">, Prepared, Output> &
  MembersOf<Types, Kind, Given, Output>;

/** The operation of an API that a declaration makes. @internal */
export type DeclaredOf<
  Types extends ApiTypes,
  Verb extends Method,
  Path extends string,
  Query,
  Body,
  Result,
> = (Types & {
  readonly request: `${Verb} ${Path}`;
  readonly query: PartOf<Query>;
  readonly body: PartOf<Body>;
  readonly result: PartOf<Result>;
})["operation"];

type PartOf<Schema> = Absent extends Schema ? undefined : Schema extends TSchema ? Static<Schema> : undefined;

/** Declares an operation of an API. */
export type DeclareOperation<Types extends ApiTypes> = <
  const Verb extends Method,
  const Path extends string,
  Subject = undefined,
  Query extends TObject = Absent,
  Body extends TSchema = Absent,
  Result extends TSchema | undefined = undefined,
  Prepared = undefined,
  const Kind extends Types["logKind"] = never,
>(
  declared: TypedOperation<Types, Verb, Path, Subject, Query, Body, Result, Prepared, Kind>,
) => DeclaredOf<Types, Verb, Path, Query, Body, Result>;

/** A deeply read-only value, so that results may have read-only lists. */
export type Readable<Value> = Value extends (...args: never[]) => unknown
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Readable<Value[Name]> }
    : Value;

/** The result of a handler whose success has no body. */
export type Nothing = ReturnType<() => void>;

/** The result of a handler: the type of its result schema, or else `Plain`. */
export type ResultOf<Schema extends TSchema | undefined, Plain> = Schema extends TSchema
  ? Readable<Static<Schema>>
  : Plain;

/** The names of parameters in a path template. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/**
 * The parameters of a path template.
 * @example
 * type Params = PathParams<"/organization/{orgname}/quota/{quota_id}">; // { orgname: string; quota_id: string }
 */
export type PathParams<Path extends string> = { readonly [Name in NamesIn<Path>]: string };

/** A schema for exactly the parameters of a path template. */
export type PathSchema<Path extends string> = TObject<{ [Name in NamesIn<Path>]: TSchema }>;

/**
 * Gives the function that declares the operations of an API. The types of a handler's parameters and of its result follow from
 * the path, the schemas, the access and the kinds of log entries.
 * @example
 * import { Type } from "typebox";
 *
 * const operation = operationsFor<DocumentTypes<Map<string, number>>>();
 * const getThing = operation({
 *   id: "getThing",
 *   method: "GET",
 *   path: "/thing/{name}",
 *   summary: "How many there are.",
 *   success: 200,
 *   result: Type.Object({ count: Type.Number() }, { title: "thing" }),
 *   refusals: [400],
 *   handle: async ({ params }, things) => ({ count: things.get(params.name) ?? 0 }),
 * });
 */
export function operationsFor<Types extends ApiTypes>(): DeclareOperation<Types> {
  return (declared) => declared as unknown as Types["operation"]; // the kernel calls it only with values that the schemas have checked
}

/**
 * Binds operations to the context that all their requests share.
 * @example
 * const operation = operationsFor<DocumentTypes<{ readonly version: string }>>();
 * const getVersion = operation({
 *   id: "getVersion",
 *   method: "GET",
 *   path: "/version",
 *   summary: "The version.",
 *   success: 204,
 *   refusals: [],
 *   handle: async (_, { version }) => console.log(version),
 * });
 * const bound = bind([getVersion], { version: "1.2.0" }); // handlers get this context
 */
export function bind<Each extends Operation>(operations: readonly Each[], context: unknown): readonly Each[] {
  return operations.map((operation) => ({ ...operation, ...boundFunctions(operation, context) }));
}

/** The functions of an operation, bound to a context. */
function boundFunctions(operation: Operation, context: unknown): Readonly<Record<string, unknown>> {
  const functions = Object.entries(operation).filter(([, member]) => typeof member === "function");
  return Object.fromEntries(
    functions.map(([name, member]) => [name, (input: unknown, result?: unknown) => member(input, context, result)]),
  );
}
