import type { PathDetector } from "../../plugins/detector.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { provenPackage } from "../language/proof.ts";
import { nixEvidence } from "./evidence.ts";

/** Finds packages of Nix and Guix by the paths of their stores. The evidence has one file for each store path; pieces above its limit remain unassessed. */
export const nixStoreDetector: PathDetector = {
  name: "nix-store",
  revision: 3,
  packages: "nix",
  *detect(evidence) {
    const found = storePackage(evidence.path);
    if (found !== undefined) yield provenPackage(evidence, found);
    const isUnknown = found === undefined && isProgram(evidence.path);
    const left = isUnknown ? evidence.pieces : evidence.pieces - 1;
    if (left > 0) yield { ...evidence, pieces: left };
  },
};

/**
 * The paths of the stores of Nix and Guix:
 *
 * ```text
 * path    = ("nix" / "gnu") "/store/" hash "-" name ["-" version] ["-" output] ["/" …]      hash: 32 characters
 * version begins after the first dash that is not followed by a letter
 * ```
 * @see https://nix.dev/manual/nix/latest/store/store-path
 * @see https://nix.dev/manual/nix/latest/language/builtins#builtins-parseDrvName
 */

/** The package of a store path. */
interface StorePackage {
  readonly name: string;
  readonly version: string;
}

const place = /^(?:nix|gnu)\/store\/[0-9a-df-np-sv-z]{32}-([^/]+)/;

/** The outputs that packages are split into. */
const output = /-(?:bin|dev|debug|doc|devdoc|info|lib|libs|man|out|static)$/;

/** Store paths that are not packages: build instructions, sources, configuration files, wrapper scripts. */
const noPackage = /\.(?:drv|patch|diff|tar|tgz|zip|json|conf|lock)(?:\.\w+)?$|-(?:source|env|hook|wrapper)$/;

/** Store paths that have no software of their own: configuration, and folders of links to others. */
const noSoftware = /(?:^|-)(?:etc|profile|source|system-path|user-environment)(?:-|$)/;

/** Whether a file is of software whose store path has no version: a program or a library. */
function isProgram(path: string): boolean {
  const [whole = "", base = ""] = place.exec(path) ?? [];
  return (
    base !== "" &&
    !noPackage.test(base) &&
    !noSoftware.test(base) &&
    /^\/(?:s?bin|lib(?:exec)?)\//.test(path.slice(whole.length))
  );
}

/** The package of a store path; undefined for other paths, and for store paths without a version (configuration files, sources). */
export function storePackage(path: string): StorePackage | undefined {
  const base = place.exec(path)?.[1] ?? "";
  if (base === "" || noPackage.test(base)) return undefined;
  const whole = base.replace(output, "");
  const dash = whole.search(/-[^A-Za-z]/);
  if (dash <= 0 || !/^\d/.test(whole.slice(dash + 1))) return undefined;
  return { name: whole.slice(0, dash), version: whole.slice(dash + 1) };
}

/** Packages in the stores of Nix and Guix. */
export const nix = {
  ...defineLanguage({
    name: "nix",
    ecosystem: "Nix",
    repository: "nix",
    fileDetectors: [],
    versions: numericVersions,
    evidence: nixEvidence,
    purl: ["nix"],
    assesses: ["nix"],
  }),
  pathDetectors: [nixStoreDetector],
};
