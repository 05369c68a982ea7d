import { type ApiTypes, type Input, type LongText, type Nothing, type Operation, operationsFor } from "@plimsoll/http";
import type { Access, AccessRequest } from "@plimsoll/registry/access/access";
import type { KeptName } from "@plimsoll/registry/limits/kept-limits";
import type { Features } from "@plimsoll/registry/settings";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { SerializedJson } from "@plimsoll/registry/values/serialized-json";
import { type TObject, Type } from "typebox";
import type { Call, Called } from "./call.ts";
import type { OperationContext } from "./context.ts";
import type { OperationTag } from "./tag-descriptions.ts";

/** The largest number that operations accept where no smaller one has a meaning: databases store it as an integer. */
export const largestInteger = 2 ** 31 - 1;

/**
 * The schema of an object whose members have any names and values. They are limited together, by their length as JSON: a limit of each
 * name, text and list would still allow many.
 * @example
 * const Body = Type.Object({ metadata: freeMembers(16_384) });
 */
export function freeMembers(maxLength: number) {
  const description = `At most ${maxLength} characters as JSON`;
  return Type.Refine(
    Type.Record(Type.String(), Type.Unknown(), { description }),
    (members) => JSON.stringify(members).length <= maxLength,
    () => `expected at most ${maxLength} characters as JSON`,
  );
}

/** Members that operations of the management API declare besides those of every operation. */
export interface RegistryMembers {
  /** The group in the explorer. */
  readonly tag: OperationTag;
  /** Descriptions of the path's parameters whose names do not explain them. */
  readonly about?: Readonly<Record<string, string>>;
  /** The name of the result's model, where the contract gives it one. */
  readonly resultModel?: string;
  /** The result may have megabytes: it is written in chunks, at the pace of the client. Short results cost more this way. */
  readonly mayBeLong?: boolean;
  /** The rows that it adds, whose number is limited for their owner. */
  readonly keeps?: KeptName;
  /** Not in the contract: Plimsoll's own. */
  readonly isOwn?: boolean;
  /** Sessions must be fresh: the user has entered the password recently. */
  readonly freshLogin?: boolean;
  /**
   * The operation that reads what this one changes or removes. Its `ETag` is the version that `If-Match` names; without a version, every
   * tag in `If-Match` is refused (412).
   */
  readonly version?: RegistryOperation;
  /**
   * The members of a result, or of each item of a list, of which its `ETag` is made: those that changes replace. Other members may change
   * without a request, and that must not refuse a change.
   */
  readonly versionMembers?: readonly string[];
  /** A missing body is refused although no member of it is required. */
  readonly needsBody?: boolean;
  /** Offered although the registry is read-only: it changes only who is signed in. */
  readonly whileReadOnly?: boolean;
  /** If the database takes no changes, the handler is called again without a transaction; `context.readOnly` has the error. */
  readonly withoutChanges?: boolean;
}

/** An operation of the management API as its stages and documents see it; its path is what follows `/api/v1`. */
export interface RegistryOperation extends Operation, RegistryMembers {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With the parameters of its own path. */
  readonly access: Access<unknown, never>;
  readonly feature?: keyof Features;
}

/** A value as JSON has it. */
type Sent<Value> = Value extends LongText
  ? string
  : Value extends SerializedJson
    ? never
    : Value extends object
      ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
      : Value;

/** The names of a result's members, or of those of a list's items. */
type MemberOf<Output> = Output extends readonly (infer Item)[] ? keyof Item & string : keyof Output & string;

interface MembersFor<Output> extends RegistryMembers {
  readonly versionMembers?: readonly MemberOf<Output>[];
}

/** The types of operations of the management API. */
export interface RegistryTypes extends ApiTypes {
  readonly context: OperationContext<Extract<this["audited"], LogKind>>;
  readonly admission: Omit<AccessRequest, "params">;
  readonly accessMembers: Omit<Access, "admit">;
  readonly feature: keyof Features;
  readonly logKind: LogKind;
  readonly members: MembersFor<this["output"]>;
  readonly plainResult: Nothing;
  readonly operation: RegistryOperation &
    Called<Call<this["request"], Sent<this["query"]>, Sent<this["body"]>, Sent<this["result"]>>>;
}

/**
 * Declares an operation of the management API. `context.log` writes only the kinds of entries in `audit`.
 * @example
 * operation({ id: "getThing", method: "GET", path: "/thing/{id}", summary: "Get it.", tag: "organization", success: 200, result: Thing,
 *   access: onSelf(), handle: ({ subject, params }, { db }) => getThing(db, subject.account, params.id) });
 */
export const operation = operationsFor<RegistryTypes>();

/** The parts of a request that functions of several operations receive. */
export type OperationInput<
  Subject = unknown,
  Query = unknown,
  Body = unknown,
  Params = Readonly<Record<never, string>>,
> = Pick<Input<Params, Query, Body, Subject>, "subject" | "query" | "body" | "params">;

/**
 * Whether a request may omit its body, which then counts as an empty object: the body is an object of which no member is required, and the
 * profile does not require a body.
 */
export function isBodyOptional({ body, needsBody = false }: Pick<RegistryOperation, "body" | "needsBody">): boolean {
  if (body === undefined) return true;
  const { type, required = [] } = body as Partial<TObject>;
  return !needsBody && type === "object" && required.length === 0;
}

/** A body with `none` in place of null, since the rules know no null: they take what is absent, or a text that is empty. */
export function withoutNull<Body extends object, None = undefined>(body: Body, none?: None) {
  const members = Object.entries(body).map(([name, value]) => [name, value === null ? none : value]);
  return Object.fromEntries(members) as {
    [Name in keyof Body]: Exclude<Body[Name], null> | (null extends Body[Name] ? None : never);
  };
}

/** The path of a repository in the management API. The slashes of its name are escaped, so that the path can be read in one way only. */
export function repositoryApiPath({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `/api/v1/repository/${encodeURIComponent(`${namespace}/${name}`)}`;
}
