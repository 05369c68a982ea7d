import type { Proof } from "../language/proof.ts";

/** The package of a reference, with its user and channel in the package URL. */
export type ConanPackage = Required<Pick<Proof, "name" | "version" | "qualifiers">>;

const reference = /^([a-z0-9_][\w+.-]{0,100})\/([\w+.-]{1,100})(?:@([^/@#%:]*)\/([^/@#%:]*))?(?:[@#%:]|$)/;

/**
 * Parses a reference; undefined for a range of versions, and for another text.
 *
 *     name "/" version ["@" user "/" channel] ["#" revision] [":" package] ["%" time]
 *
 * @see https://docs.conan.io/2/glossary.html
 */
export function parseReference(text: string): ConanPackage | undefined {
  const [, name, version, user, channel] = reference.exec(text) ?? [];
  return name === undefined || version === undefined ? undefined : conanPackage({ name, version, user, channel });
}

/** A package with the user and channel that have a value; `_` means none. */
export function conanPackage({
  name,
  version,
  user = "_",
  channel = "_",
}: {
  readonly name: string;
  readonly version: string;
  readonly user?: string | undefined;
  readonly channel?: string | undefined;
}): ConanPackage {
  return { name, version, qualifiers: { channel: channel === "_" ? "" : channel, user: user === "_" ? "" : user } };
}
