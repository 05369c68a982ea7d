import type { ArchiveName } from "./archive-name.ts";
import { findKnownGroup } from "./known-groups.ts";
import type { Manifest } from "./manifest.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";

/** The facts about an archive from which its coordinates are guessed. */
export interface Hints {
  readonly name: ArchiveName;
  readonly manifest: Manifest;
  /** Whether it has classes in the folder of its known group. */
  readonly hasKnownClasses: boolean;
}

/** The probable coordinates of an archive, by manifest and file name. The group is empty if it is unknown. */
export function guessCoordinates({ name, manifest, hasKnownClasses }: Hints): Coordinates {
  const version = name.version === "" ? versionIn(manifest) : name.version;
  const plugin = jenkinsPlugin(manifest);
  if (plugin !== undefined) return plugin;
  const known = hasKnownClasses ? findKnownGroup(name) : undefined;
  if (known !== undefined) return { group: known.group, artifact: known.artifact, version };
  const group = vendorGroup(manifest) ?? bundleGroup(manifest, name.artifact) ?? "";
  return { group, artifact: name.artifact, version };
}

/** The version in a manifest; empty if there is none. */
export function versionIn(manifest: Manifest): string {
  const words = ["implementation-version", "bundle-version"].map((name) => firstWord(manifest.get(name)));
  return words.find((word) => /^v?\d/i.test(word) && isVersion(word)) ?? "";
}

/** @see https://jenkinsci.github.io/maven-hpi-plugin/ */
function jenkinsPlugin(manifest: Manifest): Coordinates | undefined {
  const group = manifest.get("group-id") ?? "";
  const artifact = manifest.get("short-name") ?? manifest.get("extension-name") ?? "";
  const version = firstWord(manifest.get("plugin-version"));
  return isId(group) && isId(artifact) && isVersion(version) ? { group, artifact, version } : undefined;
}

function vendorGroup(manifest: Manifest): string | undefined {
  const vendor = manifest.get("implementation-vendor-id") ?? "";
  return isReverseDomain(vendor) && !vendorsOfMany.has(vendor) ? vendor : undefined;
}

/** Vendors whose id is not the group of any of their artifacts. */
const vendorsOfMany: ReadonlySet<string> = new Set([
  "com.google",
  "com.ibm",
  "com.oracle",
  "com.sun",
  "org.apache",
  "org.eclipse",
  "org.jboss",
]);

/**
 * The group in `Bundle-SymbolicName`, which Maven's bundle plug-in makes from group and artifact. A word at the end of the group that the
 * artifact repeats occurs once: `org.apache.commons` and `commons-lang3` make `org.apache.commons.lang3`.
 * @see https://felix.apache.org/documentation/subprojects/apache-felix-maven-bundle-plugin-bnd.html
 */
function bundleGroup(manifest: Manifest, artifact: string): string | undefined {
  const [name = ""] = (manifest.get("bundle-symbolicname") ?? "").split(";", 1);
  const bundle = name.trim();
  const parent = bundle.slice(0, Math.max(0, bundle.lastIndexOf(".")));
  const last = bundle.slice(parent.length + 1);
  const repeated = parent.slice(parent.lastIndexOf(".") + 1);
  if (last !== artifact && `${repeated}-${last}` !== artifact) return undefined;
  return isReverseDomain(parent) ? parent : isReverseDomain(bundle) ? bundle : undefined;
}

function isReverseDomain(text: string): boolean {
  return isId(text) && /^[a-z][\w-]*(?:\.[\w-]+)+$/i.test(text);
}

function firstWord(text = ""): string {
  return text.split(" ", 1)[0] ?? "";
}
