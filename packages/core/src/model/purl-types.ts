import { normalizePypiName } from "./package-name.ts";

/** The rules of a package type for the parts of its package URLs. */
export interface PurlType {
  readonly namespace?: (namespace: string) => string;
  readonly name?: (name: string) => string;
  readonly requires?: readonly ("namespace" | "version")[];
}

const lowerCase = (text: string): string => text.toLowerCase();

/** Neither namespace nor name is case-sensitive. */
const caseless: PurlType = { namespace: lowerCase, name: lowerCase };

/**
 * The package types with special rules. The specification lower-cases Go module paths although Go is case-sensitive, so the
 * module path cannot be restored from a canonical package URL; many programs write the path as it is.
 * @see https://github.com/package-url/purl-spec/tree/main/types
 */
export const purlTypes: ReadonlyMap<string, PurlType> = new Map<string, PurlType>([
  ["alpm", caseless],
  ["apk", caseless],
  ["bitbucket", caseless],
  ["bitnami", caseless],
  ["composer", caseless],
  ["cran", { requires: ["version"] }],
  ["deb", caseless],
  ["github", caseless],
  ["golang", caseless],
  ["hex", caseless],
  ["luarocks", caseless],
  ["npm", caseless],
  ["oci", caseless],
  ["pub", { name: lowerCase }],
  ["pypi", { name: normalizePypiName }],
  ["qpkg", { namespace: lowerCase }],
  ["rpm", { namespace: lowerCase }],
  ["swift", { requires: ["namespace", "version"] }],
]);
