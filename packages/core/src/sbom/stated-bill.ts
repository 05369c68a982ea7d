import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { type LicenseStatement, type PackageDetails, packageDetails } from "../model/package-details.ts";

// What an entry of a document says about a package besides what it is, in each form: licences, makers, what it needs.

/** What a package needs by a document. */
export interface StatedNeeds {
  /** The references of entries, which may be no packages. */
  readonly references: readonly string[];
  /** Set if it is not known whether that is all. */
  readonly isPartial?: true | undefined;
}

/** Licences, makers and addresses of a component of CycloneDX. */
export function cycloneDxDetails(component: JsonObject): PackageDetails | undefined {
  const { supplier, publisher, copyright, description, externalReferences } = component;
  const addressOf = (type: string) => textOf(objectsOf(externalReferences).find((each) => each.type === type)?.url);
  return packageDetails({
    licenses: cycloneDxLicenses(component.licenses),
    supplier: textOf(memberOf(supplier, "name")),
    originator: textOf(publisher),
    copyright: textOf(copyright),
    description: textOf(description),
    homepage: addressOf("website"),
    sourceAddress: addressOf("vcs"),
  });
}

/**
 * What is declared, if anything is said to be that; else all. An entry is `{ license: { id | name } }` or `{ expression }`, and in XML a licence without the member, or a text.
 * @see https://cyclonedx.org/docs/1.7/json/#components_items_licenses
 */
function cycloneDxLicenses(list: Json | undefined): readonly LicenseStatement[] {
  const entries = Array.isArray(list) ? (list as readonly Json[]) : [];
  const stated = entries.map((entry) => {
    const license = memberOf(entry, "license") ?? entry;
    const text = textOf(memberOf(entry, "expression")) || textOf(memberOf(license, "id"));
    const acknowledgement = memberOf(license, "acknowledgement") ?? memberOf(entry, "acknowledgement");
    return { text: text || textOf(memberOf(license, "name")) || textOf(entry), acknowledgement };
  });
  const declared = stated.filter(({ acknowledgement }) => acknowledgement === "declared");
  return (declared.length > 0 ? declared : stated).map(({ text }) => ({ text }));
}

/** What each entry of CycloneDX needs, by its reference. Entries that are not in the graph say nothing. */
export function cycloneDxNeeds({ dependencies, compositions }: JsonObject): ReadonlyMap<string, StatedNeeds> {
  const open = new Set(
    objectsOf(compositions).flatMap(({ aggregate, dependencies: of }) => (aggregate === "complete" ? [] : textsOf(of))),
  );
  const alone = textsOf(dependencies).filter((ref) => ref !== ""); // of the form in XML, those that need nothing
  return new Map(
    [...alone.map((ref) => ({ ref, dependsOn: [] })), ...objectsOf(dependencies)].map(({ ref, dependsOn }) => [
      textOf(ref),
      { references: textsOf(dependsOn), isPartial: open.has(textOf(ref)) ? true : undefined },
    ]),
  );
}

/** Licences and makers of a package of SPDX. @param names those of licences that are not on the SPDX list, by their references */
export function spdxDetails(found: JsonObject, names: ReadonlyMap<string, string>): PackageDetails | undefined {
  const { licenseDeclared, licenseConcluded, supplier, originator, copyrightText, homepage, summary } = found;
  const license = known(licenseDeclared) || known(licenseConcluded);
  return packageDetails({
    licenses: [{ text: names.get(license) ?? license }],
    supplier: agentIn(supplier),
    originator: agentIn(originator),
    copyright: known(copyrightText),
    description: known(summary),
    homepage: known(homepage),
  });
}

/** The names of licences that are not on the SPDX list, by their references. */
export function spdxLicenseNames({ hasExtractedLicensingInfos }: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    objectsOf(hasExtractedLicensingInfos).flatMap(({ licenseId, name }) =>
      known(name) === "" ? [] : [[textOf(licenseId), textOf(name)] as const],
    ),
  );
}

function known(value: Json | undefined): string {
  const text = textOf(value);
  return text === "NOASSERTION" || text === "NONE" ? "" : text;
}

/** `Organization: Name (mail)` as `Name <mail>`. */
function agentIn(value: Json | undefined): string {
  const name = known(value).replace(/^(?:Organization|Person|Tool): /, "");
  return name.endsWith(")") && name.includes(" (") ? `${name.slice(0, -1).replace(" (", " <")}>` : name;
}

/** Types of relationships from a package to what it needs. */
const needing: ReadonlySet<string> = new Set(["DEPENDS_ON", "DYNAMIC_LINK", "HAS_PREREQUISITE", "STATIC_LINK"]);
/** Types of relationships from what a package needs to that package. */
const needed: ReadonlySet<string> = new Set(["DEPENDENCY_OF", "PREREQUISITE_FOR", "RUNTIME_DEPENDENCY_OF"]);

/** What each package of SPDX needs, by its id. That it is all is stated only by `NONE`, and in SPDX 3 by `completeness`. */
export function spdxNeeds(relationships: readonly JsonObject[]): ReadonlyMap<string, StatedNeeds> {
  const found = new Map<string, { readonly references: string[]; isPartial?: true | undefined }>();
  for (const { spdxElementId, relationshipType, relatedSpdxElement, completeness } of relationships) {
    const [from, type, to] = [textOf(spdxElementId), textOf(relationshipType), textOf(relatedSpdxElement)];
    if (!needing.has(type) && !needed.has(type)) continue;
    const [who, what] = needing.has(type) ? [from, to] : [to, from];
    const isWhole = what === "NONE" || completeness === "complete";
    const known = found.get(who) ?? { references: [] };
    found.set(who, known);
    known.references.push(what);
    if (!isWhole) known.isPartial = true;
  }
  return found;
}

/** The licences of an artifact of Syft: before schema 9 texts, then objects. */
export function syftDetails({ licenses, metadata }: JsonObject): PackageDetails | undefined {
  const entries = Array.isArray(licenses) ? (licenses as readonly Json[]) : [];
  const stated = entries.map(
    (each) => textOf(memberOf(each, "spdxExpression")) || textOf(memberOf(each, "value")) || textOf(each),
  );
  return packageDetails({
    licenses: stated.map((text) => ({ text })),
    supplier: textOf(memberOf(metadata, "maintainer")) || textOf(memberOf(metadata, "vendor")),
    homepage: textOf(memberOf(metadata, "url")) || textOf(memberOf(metadata, "homepage")),
  });
}

/** What each artifact of Syft needs, as far as it knows it. */
export function syftNeeds(relationships: Json | undefined): ReadonlyMap<string, StatedNeeds> {
  const edges = objectsOf(relationships).filter(({ type }) => type === "dependency-of");
  const byChild = Map.groupBy(edges, ({ child }) => textOf(child));
  return new Map(
    [...byChild].map(([child, of]) => [child, { references: of.map(({ parent }) => textOf(parent)), isPartial: true }]),
  );
}

function textsOf(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? (list as readonly Json[]).map(textOf) : [];
}
