/** The parts of an operation's requests and its answer, as the generated constants have them. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly result: unknown;
}

/** An operation of the management API. Its type argument is known to the compiler only. */
export interface Operation<Each extends Parts> {
  readonly id: string;
  readonly method: string;
  /** What follows `/api/v1`, with parameters in braces. */
  readonly path: string;
  readonly parts?: Each;
}

/** What a request of an operation is made of. */
export type Given<Each extends Parts> = Omit<Each, "result"> & Replacing;

/** What a change replaces. */
export interface Replacing {
  /**
   * What was read of it: the change is made only while nobody else has changed that; null: only while there is nothing. Absent: whatever
   * is there. A function reads it when the change is made, as {@link readShown} does.
   */
  readonly replaces?: object | null | (() => Promise<object>);
}

/** The answer of an operation. */
export type ResultOf<Each> = Each extends Operation<infer Known> ? Known["result"] : never;

/** One of two operations that are called alike: of an organization or of a user, of a team or of a user. */
export function either<One extends Parts, Other extends Parts>(
  { isFirst }: { readonly isFirst: boolean },
  one: Operation<One>,
  other: Operation<Other>,
): Operation<One | Other> {
  return isFirst ? one : other;
}
