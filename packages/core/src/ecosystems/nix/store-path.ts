/**
 * The paths of Nix's store:
 *
 * ```text
 * path    = "nix/store/" hash "-" name ["-" version] ["-" output] ["/" …]      hash: 32 characters
 * version begins at the first dash that no letter follows
 * ```
 * @see https://nix.dev/manual/nix/latest/store/store-path
 * @see https://nix.dev/manual/nix/latest/language/builtins#builtins-parseDrvName
 */

/** What a store path is called by. */
export interface StorePackage {
  readonly name: string;
  readonly version: string;
}

const place = /^nix\/store\/[0-9a-df-np-sv-z]{32}-([^/]+)/;
/** The outputs that packages are split into. */
const output = /-(?:bin|dev|debug|doc|devdoc|info|lib|libs|man|out|static)$/;
/** What is no package: how to build one, what one was built from, and scripts around them. */
const noPackage = /\.(?:drv|patch|diff|tar|tgz|zip|json|conf|lock)(?:\.\w+)?$|-(?:source|env|hook|wrapper)$/;

/** The package that a store path is of; undefined for other paths and for what has no version: files of a configuration, sources. */
export function storePackage(path: string): StorePackage | undefined {
  const base = place.exec(path)?.[1] ?? "";
  if (base === "" || noPackage.test(base)) return undefined;
  const whole = base.replace(output, "");
  const dash = whole.search(/-[^A-Za-z]/);
  if (dash <= 0 || !/^\d/.test(whole.slice(dash + 1))) return undefined;
  return { name: whole.slice(0, dash), version: whole.slice(dash + 1) };
}
