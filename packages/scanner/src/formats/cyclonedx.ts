/**
 * CycloneDX 1.6 in JSON: a bill of materials, with vulnerabilities if the image was matched.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 */
import type { Distribution } from "@plimsoll/core";
import { digestHex } from "@plimsoll/core/digest";
import { dependencyGraph, gapProperties, summarizeLicenses } from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import type { PackageDetails } from "@plimsoll/core/report";
import { type Component, formattedCpe, listComponents } from "./components.ts";
import { contentUuid } from "./content-uuid.ts";
import { coverageIn, coverageSentences } from "./coverage-sentences.ts";
import {
  componentReferences,
  cycloneDxVulnerabilities,
  type References,
  versionOf,
} from "./cyclonedx-vulnerabilities.ts";
import { type DocumentStamp, type ReportedImage, toolName } from "./reported-image.ts";
import { addressOf, type Party, partyOf } from "./stated-parties.ts";

/** The reference of the image within the document. */
const imageReference = "image";

/**
 * Formats the bill of materials of an image as a CycloneDX 1.6 document, with its vulnerabilities if it was matched. The serial number
 * is derived from the content.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toCycloneDx(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toCycloneDx(image: ReportedImage, stamp: DocumentStamp): object {
  const components = listComponents(image.index);
  const references = componentReferences(components);
  const { vulnerabilities } = image;
  const content = {
    metadata: metadataOf(image, stamp),
    components: [
      ...Object.values(image.index.distributions).map(operatingSystemOf),
      ...components.map((component) => cycloneDxComponent(component, references)),
    ],
    ...dependenciesOf(image, references),
    vulnerabilities: vulnerabilities && cycloneDxVulnerabilities({ ...image, vulnerabilities }, references),
  };
  return cycloneDxDocument(content);
}

/** The dependency graph, and how complete it and the list of components are. Without a graph, everything hangs on the image. */
function dependenciesOf(image: ReportedImage, references: References): object {
  const graph = dependencyGraph(image.index);
  const isPartial = coverageIn(image).status === "partial";
  const refsOf = (ids: readonly string[]) => ids.flatMap((id) => references.get(id) ?? []);
  const compositions = [
    ...(isPartial ? [{ aggregate: "incomplete", assemblies: [imageReference] }] : []),
    ...compositionOf("incomplete", refsOf(graph?.incomplete ?? [])),
    ...compositionOf("unknown", refsOf(graph?.unknown ?? [])),
  ];
  return {
    dependencies: [
      { ref: imageReference, dependsOn: graph === undefined ? [...references.values()] : refsOf(graph.roots) },
      ...[...(graph?.needs ?? [])].flatMap(([id, needs]) =>
        refsOf([id]).map((ref) => ({ ref, dependsOn: refsOf(needs) })),
      ),
    ],
    compositions: compositions.length === 0 ? undefined : compositions,
  };
}

function compositionOf(aggregate: "incomplete" | "unknown", dependencies: readonly string[]): readonly object[] {
  return dependencies.length === 0 ? [] : [{ aggregate, dependencies }];
}

/** Creates a document with a content. */
export function cycloneDxDocument(content: object): object {
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${contentUuid(content)}`,
    version: 1,
    ...content,
  };
}

/** The subject of the document and the program that wrote it. */
export function metadataOf(image: ReportedImage, { toolVersion, createdAt }: DocumentStamp): object {
  const { index, platform, config, source, reference } = image;
  const layers = index.coverage.layers.map(({ digest }) => property("layer", digest));
  return {
    timestamp: new Date(createdAt).toISOString(),
    tools: { components: [{ type: "application", name: toolName, version: toolVersion }] },
    component: {
      "bom-ref": imageReference,
      type: "container",
      name: reference,
      version: index.manifestDigest,
      hashes: [{ alg: hashName(index.manifestDigest), content: digestHex(index.manifestDigest) }],
      properties: [
        property("source", source),
        ...(platform === undefined ? [] : [property("platform", formatPlatform(platform))]),
        ...(config?.createdAt === undefined ? [] : [property("created", new Date(config.createdAt).toISOString())]),
        ...layers,
      ],
    },
    properties: [
      property("coverage", coverageIn(image).status),
      ...coverageSentences(image, createdAt).map((sentence) => property("coverage:gap", sentence)),
      ...gapProperties(index.coverage),
    ],
  };
}

function hashName(digest: string): string {
  return digest.startsWith("sha256:") ? "SHA-256" : "SHA-512";
}

/** A property in Plimsoll's namespace. */
export function property(name: string, value: string): object {
  return { name: `${toolName}:${name}`, value };
}

function operatingSystemOf(distribution: Distribution): object {
  const { id, did, name, versionId, prettyName } = distribution;
  const cpe = formattedCpe(distribution.cpe);
  return {
    "bom-ref": `distribution-${id}`,
    type: "operating-system",
    name: did ?? name ?? "unnamed",
    version: versionId,
    description: prettyName,
    cpe,
  };
}

/** A package as a component of a document. */
export function cycloneDxComponent(component: Component, references: References): object {
  const { package: found, group, name, purl, derivedCpe, cpe = derivedCpe, locations } = component;
  return {
    "bom-ref": references.get(found.id),
    type: "library",
    scope: component.isForDevelopment ? "excluded" : undefined,
    group,
    name,
    ...versionOf(found),
    ...described(component.details),
    cpe,
    purl,
    evidence: locations.length > 0 ? { occurrences: locations.map(occurrenceOf) } : undefined,
    properties: [
      ...(found.arch === undefined ? [] : [property("architecture", found.arch)]),
      ...(found.module === undefined ? [] : [property("module", found.module)]),
      ...(derivedCpe === undefined ? [] : [property("cpe", "derived")]),
      ...component.owners.map((owner) => property("distribution-package", owner)),
      ...(component.thirdParty === undefined ? [] : [property("third-party", component.thirdParty)]),
      ...(component.mainModule === undefined ? [] : [property("main-module", component.mainModule)]),
      ...component.namePatterns.map((pattern) => property("name-pattern", pattern)),
      ...component.unstated.map((fact) => property("unstated", fact)),
      ...(found.source === undefined
        ? []
        : [property("source-package", found.source.name), property("source-version", found.source.version)]),
    ],
  };
}

/** Members for what the record of a package says. */
function described(details: PackageDetails | undefined): object {
  if (details === undefined) return {};
  const { supplier, originator, authors = [], description } = details;
  const references = externalReferences(details);
  return {
    supplier: supplier === undefined ? undefined : organizationOf(partyOf(supplier)),
    authors: authors.length === 0 ? undefined : authors.map(partyOf),
    publisher: originator,
    description,
    licenses: licensesOf(details),
    externalReferences: references.length === 0 ? undefined : references,
  };
}

function organizationOf({ name, email }: Party): object {
  return { name, contact: email === undefined ? undefined : [{ name, email }] };
}

/** One licence by its identifier or name, else an expression. @see https://cyclonedx.org/docs/1.6/json/#components_items_licenses */
function licensesOf(details: PackageDetails): readonly object[] | undefined {
  const summary = summarizeLicenses(details);
  if (summary === undefined) return undefined;
  const { expression, references } = summary;
  const acknowledgement = "declared";
  const [only] = references;
  if (only !== undefined && only.id === expression) {
    return [{ license: { name: only.statement.text, acknowledgement } }];
  }
  return / |\+$|^LicenseRef-/.test(expression)
    ? [{ expression, acknowledgement }]
    : [{ license: { id: expression, acknowledgement } }];
}

function externalReferences({ homepage, sourceAddress, downloadAddress }: PackageDetails): readonly object[] {
  const typed = { website: homepage, vcs: sourceAddress, distribution: downloadAddress };
  return Object.entries(typed).flatMap(([type, text]) => {
    const url = addressOf(text);
    return url === undefined ? [] : [{ type, url }];
  });
}

function occurrenceOf({ path, layer }: Component["locations"][number]): object {
  return { location: path, additionalContext: layer === undefined ? undefined : `layer ${layer}` };
}
