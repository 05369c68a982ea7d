import type { Static, TSchema } from "typebox";

/** A value that is only read: what a schema describes, whether its lists are read-only or not. */
export type Readable<Value> = Value extends (...args: never[]) => unknown
  ? Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Readable<Value[Name]> }
    : Value;

/** What a handler resolves to whose success has no body. */
export type Nothing = ReturnType<() => void>;

/** What a handler resolves to: the value of its result schema, or else `Plain`. */
export type ResultOf<Schema extends TSchema | undefined, Plain> = Schema extends TSchema
  ? Readable<Static<Schema>>
  : Plain;
