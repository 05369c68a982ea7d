/**
 * The callers that an operation admits, and what the operation then works on.
 * @typeParam Subject what `admit` loads; a handler has no other way to it
 * @typeParam Admission what is known of the request
 */
export interface Access<Subject = unknown, Admission = never> {
  /** Whether requests without credentials need no permission. */
  readonly anonymous: "always" | "where-allowed" | false;
  /** What a token must hold; absent where none is needed. */
  readonly scope?: string;
  /** Throws for callers who may not. Asked again inside the transaction. */
  readonly admit: (admission: Admission) => Promise<Subject>;
}
