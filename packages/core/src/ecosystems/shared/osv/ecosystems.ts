import type { PackageKind } from "../../../model/package.ts";
import { debianVersion } from "../../dpkg/debian-releases.ts";

/** What an OSV ecosystem means here. */
export interface OsvEcosystem {
  /** The key of advisories: `debian:12`, `PyPI`. */
  readonly key: string;
  /** What the names of its packages are: those of sources or of what is installed. */
  readonly kind: PackageKind;
}

/** The release part of a key, from what stands behind the first colon; undefined where nothing here is that release. */
type ReleaseOf = (suffix: string) => string | undefined;

interface Family {
  readonly kind: PackageKind;
  readonly keyOf: ReleaseOf;
}

const source = (keyOf: ReleaseOf): Family => ({ kind: "SOURCE", keyOf });
const binary = (keyOf: ReleaseOf): Family => ({ kind: "BINARY", keyOf });

/** A key made of the first group that the pattern finds in the suffix. */
function release(name: string, pattern: RegExp): ReleaseOf {
  return (suffix) => {
    const version = pattern.exec(suffix)?.[1];
    return version === undefined ? undefined : `${name}:${version}`;
  };
}

/**
 * Distributions by OSV name. What only subscribers get (Ubuntu Pro, Red Hat EUS and other products than Enterprise Linux
 * itself) has no key: its versions say nothing about the packages of the plain release.
 */
const families: ReadonlyMap<string, Family> = new Map([
  ["AlmaLinux", binary(release("almalinux", /^(\d+)/))],
  ["Alpine", source(release("alpine", /^v?(\d+\.\d+|edge)$/))],
  ["Azure Linux", source((suffix) => azureKeys.get(suffix))],
  ["Chainguard", source(() => "chainguard")],
  ["Debian", source((suffix) => (suffix === "" ? undefined : `debian:${debianVersion(suffix)}`))],
  ["Mageia", source(release("mageia", /^(\d+)/))],
  ["MinimOS", source(() => "minimos")],
  ["Red Hat", binary(release("rhel", /^enterprise_linux:(\d+)/))],
  ["Rocky Linux", source(release("rocky", /^(\d+)/))],
  ["SUSE", source(suseKey)],
  ["Ubuntu", source(release("ubuntu", /^(\d+\.\d+)(?::LTS)?$/))],
  ["Wolfi", source(() => "wolfi")],
  ["openEuler", source((suffix) => (suffix === "" ? undefined : `openeuler:${suffix.toLowerCase()}`))],
  ["openSUSE", source(openSuseKey)],
]);

/** CBL-Mariner is what Azure Linux was called up to version 2. */
const azureKeys: ReadonlyMap<string, string> = new Map([
  ["2", "mariner:2.0"],
  ["3", "azurelinux:3.0"],
]);

const slePattern =
  /^Linux Enterprise (Server|Module for .+|High Performance Computing|Micro)(?: for SAP Applications)? (\d{1,4}(?:\.\d{1,4})?)(?: SP(\d{1,4}))?(?:-LTSS.*)?$/s;

/** SLES takes its packages from modules: those of `Module for Basesystem 15 SP5` are in SLES 15.5. */
function suseKey(suffix: string): string | undefined {
  const match = slePattern.exec(suffix);
  if (match === null) return undefined;
  const [, product, version, servicePack] = match;
  const name = product === "Micro" ? "sle-micro" : "sles";
  return `${name}:${version}${servicePack === undefined ? "" : `.${servicePack}`}`;
}

function openSuseKey(suffix: string): string | undefined {
  if (suffix === "Tumbleweed") return "opensuse-tumbleweed";
  return release("opensuse-leap", /^Leap (\d+\.\d+)$/)(suffix);
}

/** The name of an OSV ecosystem without its release: `Ubuntu` of `Ubuntu:22.04:LTS`. */
export function osvFamily(ecosystem: string): string {
  return ecosystem.split(":", 1)[0] ?? ecosystem;
}

/**
 * What an OSV ecosystem means here; undefined for a release that nothing here is matched with. Languages keep their OSV
 * name.
 * @see https://ossf.github.io/osv-schema/#defined-ecosystems
 */
export function findOsvEcosystem(ecosystem: string): OsvEcosystem | undefined {
  const name = osvFamily(ecosystem);
  const family = families.get(name);
  if (family === undefined) return { key: name, kind: "BINARY" };
  const key = family.keyOf(ecosystem.slice(name.length + 1));
  return key === undefined ? undefined : { key, kind: family.kind };
}
