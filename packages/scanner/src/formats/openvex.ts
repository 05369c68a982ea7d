/**
 * OpenVEX 0.2.0.
 *
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md
 */
import type { Package, Vulnerability } from "@plimsoll/core";
import { digestHex } from "@plimsoll/core/digest";
import { type Component, listComponents } from "./components.ts";
import { contentUuid } from "./content-uuid.ts";
import { coverageSentences } from "./coverage-sentences.ts";
import { remedyText } from "./finding-texts.ts";
import { imagePurl } from "./image-facts.ts";
import { type ImageFinding, listImageFindings, listSuppressed, type SuppressedFinding } from "./image-findings.ts";
import { type DocumentStamp, type MatchedImage, toolName, toolPage } from "./reported-image.ts";

/**
 * Formats the status of an image's vulnerabilities as an OpenVEX document. The product is the image, each package a subcomponent:
 * findings are `affected`, suppressed ones `not_affected` or `fixed`, and undecided ones `under_investigation`. The text of `tooling`
 * includes what was not assessed. An image without any finding gives a document without statements, which the schema does not allow.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toOpenVex(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toOpenVex(image: MatchedImage, { toolVersion, createdAt }: DocumentStamp): object {
  const timestamp = new Date(createdAt).toISOString();
  const { shown } = listImageFindings(image, {});
  const statements = [
    ...shown.map((finding) => affectedOf(finding, image)),
    ...listSuppressed(image).map((finding) => suppressedOf(finding, image)),
    ...undecidedOf(image),
  ];
  const content = {
    author: `${toolName} ${toolVersion}`,
    role: "Vulnerability scanner",
    timestamp,
    version: 1,
    tooling: [`${toolName} ${toolVersion} (${toolPage}).`, ...coverageSentences(image, createdAt)]
      .join(" ")
      .toWellFormed(),
    statements: uniqueOf(statements),
  };
  return {
    "@context": "https://openvex.dev/ns/v0.2.0",
    "@id": `https://openvex.dev/docs/${toolName}-${contentUuid(content)}`,
    ...content,
  };
}

function affectedOf(finding: ImageFinding, image: MatchedImage): object {
  return {
    vulnerability: vulnerabilityOf(finding.vulnerability),
    products: productsOf(finding.component, image),
    status: "affected",
    action_statement: remedyText(finding).toWellFormed(),
  };
}

/** The justifications of OpenVEX. */
const justifications: ReadonlySet<string> = new Set([
  "component_not_present",
  "vulnerable_code_not_present",
  "vulnerable_code_not_in_execute_path",
  "vulnerable_code_cannot_be_controlled_by_adversary",
  "inline_mitigations_already_exist",
]);

function suppressedOf({ component, vulnerability, statement }: SuppressedFinding, image: MatchedImage): object {
  const { status, justification = "", detail = "", author, place } = statement;
  const about = { vulnerability: vulnerabilityOf(vulnerability), products: productsOf(component, image), status };
  const stated = [author === undefined ? "" : `Stated by ${author}.`, `From ${place}.`].filter(Boolean).join(" ");
  const notes = [detail, stated].filter(Boolean).join(" ").toWellFormed();
  if (status !== "not_affected") return { ...about, status_notes: notes };
  if (justifications.has(justification)) return { ...about, status_notes: notes, justification };
  return { ...about, impact_statement: [justification, notes].filter(Boolean).join(": ") };
}

function undecidedOf(image: MatchedImage): readonly object[] {
  const components = new Map(listComponents(image.index).map((component) => [component.package.id, component]));
  return image.vulnerabilities.undecided.flatMap(({ packageId, name, reason }) => {
    const component = components.get(packageId);
    if (component === undefined) return [];
    const vulnerability = { name: name.toWellFormed() };
    return [
      { vulnerability, products: productsOf(component, image), status: "under_investigation", status_notes: reason },
    ];
  });
}

function vulnerabilityOf({ name, aliases, description }: Vulnerability): object {
  return {
    name,
    description,
    aliases: aliases.length > 0 ? [...new Set(aliases)] : undefined,
  };
}

function productsOf({ package: found, purl, cpe }: Component, image: MatchedImage): readonly object[] {
  const { manifestDigest } = image.index;
  const whole = imagePurl(image);
  const algorithm = manifestDigest.startsWith("sha256:") ? "sha-256" : "sha-512";
  const part = purl ?? `urn:${toolName}:package:${encodeURIComponent(textOf(found))}`;
  const identifiers = { purl, "@cpe23": cpe };
  return [
    {
      "@id": whole,
      identifiers: { purl: whole },
      hashes: { [algorithm]: digestHex(manifestDigest) },
      subcomponents: [{ "@id": part, identifiers: Object.keys(identifiers).length > 0 ? identifiers : undefined }],
    },
  ];
}

function textOf({ name, version }: Package): string {
  return `${name}@${version}`.toWellFormed();
}

/** Removes duplicates: two packages with the same package URL give the same statement. */
function uniqueOf(statements: readonly object[]): readonly object[] {
  return [...new Map(statements.map((statement) => [JSON.stringify(statement), statement])).values()];
}
