import type { Static, TSchema } from "typebox";

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
