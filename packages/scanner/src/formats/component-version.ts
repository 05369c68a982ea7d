import type { Package } from "@plimsoll/core";

/** A longer version is cut: CycloneDX allows no longer one. */
const maxVersionLength = 1024;

/** The version of a package as members of a CycloneDX document: none where it is empty. */
export function versionOf({ version }: Package): { readonly version?: string } {
  return version === "" ? {} : { version: version.slice(0, maxVersionLength) };
}
