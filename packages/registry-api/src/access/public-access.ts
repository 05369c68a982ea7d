import type { Access } from "@plimsoll/http";

/** The callers that an operation outside the management API admits, as a declaration says it. */
export interface DescribedAccess<Subject, Admission> extends Access<Subject, Admission> {
  /** In words, for the documentation: `push to the repository`. */
  readonly who: string;
}

/** Every caller, with or without credentials. */
export const openToAll: DescribedAccess<undefined, unknown> = {
  who: "everyone",
  anonymous: "always",
  admit: async () => undefined,
};

/**
 * Callers who show what the work itself checks: a password, the code of a link, a signature. There is nothing to admit them to
 * before that.
 * @param proof what they show
 */
export function byProof(proof: string): DescribedAccess<undefined, unknown> {
  return { ...openToAll, who: `callers with ${proof}` };
}
