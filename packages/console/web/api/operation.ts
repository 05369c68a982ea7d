/** The types of an operation's request and result, from the generated constants. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly result: unknown;
}

/** An operation of the management API. The type argument exists only at compile time. */
export interface Operation<Each extends Parts> {
  readonly id: string;
  readonly method: string;
  /** The path below `/api/v1`, with parameters in braces. */
  readonly path: string;
  readonly parts?: Each;
}

/** The arguments of an operation's request. */
export type Given<Each extends Parts> = Omit<Each, "result"> & Replacing;

/** The state that a change replaces. */
export interface Replacing {
  /**
   * The answer that was read: the change is refused if the state has changed since. Null: the change is refused if there is any state.
   * Absent: no condition. A function reads the state when the change is made, as {@link readShown} does.
   */
  readonly replaces?: object | null | (() => Promise<object>);
}

/** The result of an operation. */
export type ResultOf<Each> = Each extends Operation<infer Known> ? Known["result"] : never;

/** Chooses between two operations with the same use, such as those of an organization and of a user. */
export function either<One extends Parts, Other extends Parts>(
  { isFirst }: { readonly isFirst: boolean },
  one: Operation<One>,
  other: Operation<Other>,
): Operation<One | Other> {
  return isFirst ? one : other;
}
