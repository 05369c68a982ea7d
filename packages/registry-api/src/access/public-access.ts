import type { Access } from "@plimsoll/http";

/** The callers that an operation outside the management API admits, with a description for the documentation. */
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
 * Callers with a proof that the handler itself checks: a password, the code of a link, a signature. Admission checks nothing.
 * @param proof the proof, in words
 */
export function byProof(proof: string): DescribedAccess<undefined, unknown> {
  return { ...openToAll, who: `callers with ${proof}` };
}
