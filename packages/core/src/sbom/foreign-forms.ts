/**
 * Documents of other tools that are no bills of materials, but are given as one by mistake: reports, lock files, metadata of images. A message names
 * what was recognized, and what to give instead.
 */
import { isObject, type JsonObject, memberOf, textOf } from "../model/json-object.ts";

interface ForeignForm {
  /** For a message: `found NAME`. */
  readonly name: string;
  readonly instead: string;
  matches(document: JsonObject): boolean;
}

const has =
  (...names: readonly string[]) =>
  (document: JsonObject) =>
    names.every((name) => Object.hasOwn(document, name));

const madeBy = (tool: string) => (document: JsonObject) => textOf(memberOf(document.descriptor, "name")) === tool;

/** A repository of source code has its packages in its files. */
const ofFolder = "scan its folder: dir:FOLDER";
/** Statements about findings are no lists of packages. */
const statements = "give it with --vex, and scan the image or its SBOM";
const findings = "scan the image or an SBOM of it, because this document lists findings only";

const forms: readonly ForeignForm[] = [
  {
    name: "a dependency snapshot of GitHub",
    instead: "give what GitHub exports as the SBOM of the repository, or what your tool writes as CycloneDX or SPDX",
    matches: (document) => isObject(document.manifests) && has("detector", "job")(document),
  },
  {
    name: "a report of Trivy",
    instead: "write an SBOM with trivy --format cyclonedx",
    matches: (document) => has("SchemaVersion", "ArtifactName")(document) || has("ClusterName", "Resources")(document),
  },
  {
    name: "a report of Grype",
    instead: "write an SBOM of the same image with syft",
    matches: (document) => madeBy("grype")(document) || (Array.isArray(document.matches) && has("source")(document)),
  },
  {
    name: "the SBOMs of several platforms",
    instead: `write that of one: docker buildx imagetools inspect --format '{{ json (index .SBOM "linux/amd64").SPDX }}'`,
    matches: (document) => {
      const platforms = Object.entries(document);
      return (
        platforms.length > 0 &&
        platforms.every(([name, each]) => name.includes("/") && isObject(memberOf(each, "SPDX")))
      );
    },
  },
  {
    name: "a report of Plimsoll",
    instead: "write an SBOM with plimsoll sbom -o cyclonedx",
    matches: (document) => has("manifest_hash", "packages")(document),
  },
  { name: "a report of OSV-Scanner", instead: findings, matches: has("results", "experimental_config") },
  { name: "a report of GitLab", instead: findings, matches: has("scan", "vulnerabilities", "version") },
  { name: "a report of OWASP Dependency-Check", instead: findings, matches: has("reportSchema", "scanInfo") },
  { name: "a report of npm audit", instead: "write an SBOM with npm sbom", matches: has("auditReportVersion") },
  {
    name: "a result of the OSS Review Toolkit",
    instead: "write an SBOM with ort report --report-formats CycloneDx",
    matches: has("repository", "analyzer"),
  },
  {
    name: "SARIF",
    instead: findings,
    matches: (document) => Array.isArray(document.runs) && has("version")(document),
  },
  {
    name: "OpenVEX",
    instead: statements,
    matches: (document) => textOf(document["@context"]).includes("openvex"),
  },
  {
    name: "CSAF",
    instead: statements,
    matches: (document) => memberOf(document.document, "csaf_version") !== undefined,
  },
  {
    name: "an advisory of OSV",
    instead: "load it with plimsoll db update --feed osv=FOLDER",
    matches: has("affected", "modified"),
  },
  { name: "a lock file of npm", instead: ofFolder, matches: has("lockfileVersion") },
  { name: "a lock file of Composer", instead: ofFolder, matches: has("content-hash", "packages") },
  { name: "a lock file of Pipenv", instead: ofFolder, matches: has("_meta", "default") },
  {
    name: "a manifest of an image",
    instead: "scan the image: registry:REF, or oci-dir:FOLDER",
    matches: (document) =>
      document.schemaVersion === 2 && (has("layers")(document) || Array.isArray(document.manifests)),
  },
];

/** What a document is if it is no bill of materials, and what to give instead: `a report of Trivy: write …`; undefined for an unknown form. */
export function foreignForm(document: JsonObject): string | undefined {
  const found = forms.find((form) => form.matches(document));
  return found && `${found.name}: ${found.instead}`;
}

const xmlForms: ReadonlyMap<string, string> = new Map([
  ["RDF", "SPDX in RDF: convert it to JSON"],
  ["SoftwareIdentity", "a SWID tag, which is about one product: list its package URL, or write CycloneDX or SPDX"],
  ["project", `a project file of Maven: ${ofFolder}`],
  ["updateinfo", "advisories of a distribution: load them with plimsoll db update"],
]);

/** The same for the local name of the root element of an XML document. */
export function foreignXmlForm(root: string): string | undefined {
  return xmlForms.get(root);
}
