import type { Package } from "@plimsoll/core";

/** The longest version that CycloneDX allows; longer ones are truncated. */
const maxVersionLength = 1024;

/** The version of a package as a member of a CycloneDX document; none if it is empty. */
export function versionOf({ version }: Package): { readonly version?: string } {
  return version === "" ? {} : { version: version.slice(0, maxVersionLength) };
}
