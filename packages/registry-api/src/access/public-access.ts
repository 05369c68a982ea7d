import type { Access } from "@plimsoll/http";
import { notFound, type RegistryError } from "@plimsoll/registry/errors";
import type { Features, RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryOperation } from "../operation.ts";

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

/** The feature, of an operation or of its access, that is off; undefined where the operation is offered. */
export function featureOffOf(
  { feature, access }: Pick<RegistryOperation, "feature" | "access">,
  { features }: Pick<RegistrySettings, "features">,
): keyof Features | undefined {
  return [feature, access.feature].find((name) => name !== undefined && !features[name]);
}

/** The refusal of an operation whose feature is off: it names the setting. */
export function featureOff(feature: keyof Features): RegistryError {
  return notFound(`Not Found: the feature is off in this registry. The setting features.${feature} turns it on`);
}
