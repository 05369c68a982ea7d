/**
 * SPDX 2 in JSON.
 *
 * ```
 * { spdxVersion: "SPDX-2.3", name, packages: [package], relationships?: […] }
 * package = { SPDXID, name, versionInfo?, primaryPackagePurpose?, sourceInfo?,
 *             externalRefs?: [{ referenceType: "purl" | "cpe23Type", referenceLocator }] }
 * ```
 * @see https://spdx.github.io/spdx-spec/v2.3/
 */
import { ScanError } from "../errors.ts";
import type { Distribution } from "../model/distribution.ts";
import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { Entry, SbomReading } from "./collect.ts";
import { withOwners } from "./owners.ts";

/** Whether a document is SPDX of this form. */
export function isSpdx(document: JsonObject): boolean {
  return textOf(document.spdxVersion).startsWith("SPDX-");
}

/** Reads a document. @throws ScanError `malformed_sbom` if its version is not 2 */
export function readSpdx(document: JsonObject): SbomReading {
  const version = textOf(document.spdxVersion);
  if (!version.startsWith("SPDX-2.")) {
    throw new ScanError("malformed_sbom", `expected SPDX 2, found ${version}`);
  }
  const all = objectsOf(document.packages);
  const system = all.find((found) => purposeOf(found) === "OPERATING-SYSTEM");
  const distribution = system && distributionOf(system);
  const name = textOf(document.name);
  return {
    format: "SPDX",
    ...(name !== "" && { subject: { name } }),
    ...(distribution !== undefined && { distribution }),
    tools: textsOf(memberOf(document.creationInfo, "creators")).filter((creator) => creator.startsWith("Tool:")),
    entries: all
      .entries()
      .filter(([, found]) => !otherPurposes.has(purposeOf(found)))
      .map(entryOf),
    finish: (packages) => withOwners(packages, ownersOf(document.relationships)),
  };
}

function textsOf(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? (list as readonly Json[]).map(textOf) : [];
}

/** We write that the package of a distribution contains another; Syft has a comment for it. */
function ownersOf(relationships: Json | undefined): ReadonlyMap<string, string> {
  const owning = objectsOf(relationships).filter(
    ({ relationshipType, comment }) =>
      relationshipType === "CONTAINS" || textOf(comment).startsWith("ownership-by-file-overlap"),
  );
  return new Map(owning.map((each) => [textOf(each.relatedSpdxElement), textOf(each.spdxElementId)]));
}

/** Purposes of entries that are not installed packages: the image itself, files, source packages. */
const otherPurposes: ReadonlySet<string> = new Set([
  "CONTAINER",
  "DEVICE",
  "FILE",
  "FIRMWARE",
  "OPERATING-SYSTEM",
  "SOURCE",
]);

/** The specification writes a hyphen, its JSON schema an underscore. */
function purposeOf(found: JsonObject): string {
  return textOf(found.primaryPackagePurpose).replaceAll("_", "-");
}

function entryOf([index, found]: readonly [number, JsonObject]): Entry {
  const references = objectsOf(found.externalRefs).filter(({ comment }) => comment !== "derived"); // Plimsoll's own guess proves nothing
  const locator = (type: string) =>
    textOf(references.find(({ referenceType }) => textOf(referenceType).endsWith(type))?.referenceLocator);
  const version = textOf(found.versionInfo);
  const built = builtFrom.exec(textOf(found.sourceInfo));
  const source = { name: built?.[1] ?? "", version: built?.[2] ?? "" };
  return {
    at: `packages[${index}]`,
    component: {
      reference: textOf(found.SPDXID),
      name: textOf(found.name),
      version: version === "NOASSERTION" ? "" : version,
      purl: locator("purl"),
      cpe: locator("cpe23Type"),
      ...(built !== null && { source }),
      locations: locationsOf(textOf(found.sourceInfo)),
    },
  };
}

/** The only place where Trivy writes the source package. */
const builtFrom = /^built package from: (\S+) (\S+)$/;

/** Syft writes `acquired package info from RPM DB: /var/lib/rpm/rpmdb.sqlite`, Plimsoll `usr/lib/x in layer sha256:…`. */
function locationsOf(sourceInfo: string): readonly string[] {
  const acquired = /^acquired package info from [^:]*: (.+)$/.exec(sourceInfo)?.[1];
  if (acquired !== undefined) return acquired.split(", ").map((path) => path.replace(/^\/+/, ""));
  return sourceInfo.split("; ").flatMap((part) => {
    const at = part.lastIndexOf(" in layer ");
    return at > 0 ? [part.slice(0, at)] : [];
  });
}

function distributionOf(found: JsonObject): Omit<Distribution, "id"> | undefined {
  const [did, versionId] = [textOf(found.name).toLowerCase(), textOf(found.versionInfo)];
  if (did === "") return undefined;
  const prettyName = textOf(found.description);
  return {
    did,
    ...(versionId !== "" && versionId !== "NOASSERTION" && { versionId }),
    ...(prettyName !== "" && { prettyName }),
  };
}
