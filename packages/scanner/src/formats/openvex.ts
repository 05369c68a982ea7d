/**
 * OpenVEX 0.2.0.
 *
 * @see https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md
 */
import type { Package, Vulnerability } from "@plimsoll/core";
import { digestHex } from "@plimsoll/core/digest";
import { type Component, listBill } from "./components.ts";
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
  const subject = { image, parts: Map.groupBy(listBill(image.index), (component) => component.package.id) };
  const statements = [
    ...shown.map((finding) => affectedOf(finding, subject)),
    ...listSuppressed(image).map((finding) => suppressedOf(finding, subject)),
    ...undecidedOf(subject),
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

/** What the statements are about. */
interface Subject {
  readonly image: MatchedImage;
  /** The components of each package, by its id. */
  readonly parts: ReadonlyMap<string, readonly Component[]>;
}

function affectedOf(finding: ImageFinding, subject: Subject): object {
  return {
    vulnerability: vulnerabilityOf(finding.vulnerability),
    products: productsOf(finding.component, subject),
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

function suppressedOf({ component, vulnerability, statement }: SuppressedFinding, subject: Subject): object {
  const { status, justification = "", detail = "", author, place } = statement;
  const about = { vulnerability: vulnerabilityOf(vulnerability), products: productsOf(component, subject), status };
  const stated = [author === undefined ? "" : `Stated by ${author}.`, `From ${place}.`].filter(Boolean).join(" ");
  const notes = [detail, stated].filter(Boolean).join(" ").toWellFormed();
  if (status !== "not_affected") return { ...about, status_notes: notes };
  if (justifications.has(justification)) return { ...about, status_notes: notes, justification };
  return { ...about, impact_statement: [justification, notes].filter(Boolean).join(": ") };
}

function undecidedOf(subject: Subject): readonly object[] {
  return subject.image.vulnerabilities.undecided.flatMap(({ packageId, name, reason }) => {
    const [component] = subject.parts.get(packageId) ?? [];
    if (component === undefined) return [];
    const vulnerability = { name: name.toWellFormed() };
    return [
      { vulnerability, products: productsOf(component, subject), status: "under_investigation", status_notes: reason },
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

/** The image, with the components of a package as parts of it. */
function productsOf(component: Component, { image, parts }: Subject): readonly object[] {
  const { manifestDigest } = image.index;
  const whole = imagePurl(image);
  const algorithm = manifestDigest.startsWith("sha256:") ? "sha-256" : "sha-512";
  const ofPackage = parts.get(component.package.id) ?? [component];
  const byPart = new Map(ofPackage.map(partOf).map((part) => [part["@id"], part]));
  return [
    {
      "@id": whole,
      identifiers: { purl: whole },
      hashes: { [algorithm]: digestHex(manifestDigest) },
      subcomponents: [...byPart.values()],
    },
  ];
}

function partOf({ package: found, purl, cpe }: Component) {
  const part: string = purl ?? `urn:${toolName}:package:${encodeURIComponent(textOf(found))}`;
  return { "@id": part, identifiers: { purl, "@cpe23": cpe } };
}

function textOf({ name, version }: Package): string {
  return `${name}@${version}`.toWellFormed();
}

/** Removes duplicates: two packages with the same package URL give the same statement. */
function uniqueOf(statements: readonly object[]): readonly object[] {
  return [...new Map(statements.map((statement) => [JSON.stringify(statement), statement])).values()];
}
