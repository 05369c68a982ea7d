/**
 * The callers that an operation admits, and what the operation then works on.
 * @typeParam Subject what `admit` loads; a handler can get it only from there
 * @typeParam Admission the known facts about the request
 */
export interface Access<Subject = unknown, Admission = never> {
  /** Whether requests without credentials need no permission. */
  readonly anonymous: "always" | "where-allowed" | false;
  /** The scope that a token must have; absent if none is needed. */
  readonly scope?: string;
  /** Loads the subject, or throws for callers without access. Called again inside the transaction. */
  readonly admit: (admission: Admission) => Promise<Subject>;
}
