import type { Static, TObject, TSchema } from "typebox";
import type { Access } from "./access/access.ts";
import type { OperationContext } from "./context.ts";
import type { Features } from "./settings.ts";

/** What an operation is given: what it was admitted to, and the parts of the request as its schemas say. */
export interface OperationInput<Subject = unknown, Query = unknown, Body = unknown, Prepared = unknown> {
  readonly subject: Subject;
  /** Parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** What `prepare` gave. */
  readonly prepared: Prepared;
}

/** What everybody may know of an operation. */
export interface RegistryDeclaration {
  /** Unique in the API, as the contract names it. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** After `/api/v1`, with parameters in braces. A slash at the end is never insisted on. */
  readonly path: string;
  readonly summary: string;
  /** The group in the explorer. */
  readonly tag: string;
  /** What the path's parameters are, where the name does not say it. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly success: 200 | 201 | 202 | 204;
  readonly result?: TSchema;
  /** The name of the result's model, where the contract gives it one. */
  readonly resultModel?: string;
  /** Answered with 404 where the feature is off. */
  readonly feature?: keyof Features;
  /** The result may have megabytes: it is written in portions, at the pace of the client, which costs short ones more. */
  readonly mayBeLong?: boolean;
  /** Not part of the documented API. */
  readonly internal?: boolean;
  /** Sessions must be fresh: the password was given not long ago. */
  readonly freshLogin?: boolean;
  /** Answered although the registry is read-only: it changes only who is signed in. */
  readonly whileReadOnly?: boolean;
  /** Where the database takes no changes, the handler is called again without a transaction and with what it said: `context.readOnly`. */
  readonly withoutChanges?: boolean;
}

/** An operation of the management API. */
export interface RegistryOperation<Subject = unknown, Query = unknown, Body = unknown, Prepared = unknown>
  extends RegistryDeclaration {
  readonly access: Access<Subject>;
  /** What takes time or asks others: done before the transaction, which is short because of it. `db` is no transaction here. */
  prepare?(input: Omit<OperationInput<Subject, Query, Body>, "prepared">, context: OperationContext): Promise<Prepared>;
  /** The work; what it resolves to is the body. */
  handle(input: OperationInput<Subject, Query, Body, Prepared>, context: OperationContext): Promise<unknown>;
}

/** An operation whatever its types. */
export type AnyOperation = RegistryOperation<never, never, never, never>;

/** The schema of a part that a request does not have. */
type Absent = TObject<Record<never, never>>;

/** Whether a request may come without a body: no member of it is required. */
export function isBodyOptional({ body }: Pick<RegistryDeclaration, "body">): boolean {
  const { required = [] } = (body ?? {}) as Partial<TObject>;
  return required.length === 0;
}

/** Declares an operation; the types of its input follow from its access and its schemas. */
export function operation<Subject, Query extends TObject = Absent, Body extends TSchema = Absent, Prepared = undefined>(
  declared: Omit<RegistryOperation<Subject, Static<Query>, Static<Body>, Prepared>, "query" | "body"> & {
    readonly query?: Query;
    readonly body?: Body;
  },
): AnyOperation {
  return declared as unknown as AnyOperation; // the kernel gives it what its access and its schemas made
}
