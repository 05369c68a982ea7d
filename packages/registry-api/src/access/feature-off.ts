import { notFound, type RegistryError } from "@plimsoll/registry/errors";
import type { Features, RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryOperation } from "../operation.ts";

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
