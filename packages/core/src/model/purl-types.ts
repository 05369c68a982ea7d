import { normalizePypiName } from "./package-name.ts";

/** What a package type asks of the parts of its package URLs. */
export interface PurlType {
  readonly namespace?: (namespace: string) => string;
  readonly name?: (name: string) => string;
  readonly requires?: readonly ("namespace" | "version")[];
}

const lowerCase = (text: string): string => text.toLowerCase();

/** Neither namespace nor name are case-sensitive. */
const caseless: PurlType = { namespace: lowerCase, name: lowerCase };

/**
 * The package types with rules of their own. A Go module path is lower-cased although Go tells cases apart: that is what
 * the specification says, so a package URL does not give a module path back.
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
