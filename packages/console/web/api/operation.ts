import type { Calls } from "@plimsoll/registry-api/calls";

/** An operation of the management API: its method, and its path below `/api/v1` with parameters in braces. */
export type Operation = keyof Calls;

/** The names of parameters in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** A part of a request. It is required unless one of the operations does not have it. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : undefined extends Value
    ? { readonly [Each in Name]?: Value }
    : { readonly [Each in Name]: Value };

/** The arguments of an operation's request; where one of several operations is called, each takes those that it has. */
export type Given<Each extends Operation> = Part<
  "params",
  [NamesIn<Each>] extends [never] ? undefined : { readonly [Name in NamesIn<Each>]: string }
> &
  Part<"query", Calls[Each]["query"]> &
  Part<"body", Calls[Each]["body"]> &
  Replacing;

/** The state that a change replaces. */
export interface Replacing {
  /**
   * The answer that was read: the change is refused if the state has changed since. Null: the change is refused if there is any state.
   * Absent: no condition. A function reads the state when the change is made, as {@link readShown} does.
   */
  readonly replaces?: object | null | (() => Promise<object>);
}

/** The result of an operation. */
export type ResultOf<Each extends Operation> = Calls[Each]["result"];
