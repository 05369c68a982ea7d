import { licenseAt } from "../licenses/license-address.ts";
import { expressionOf, knownLicense, statementsOf } from "../licenses/spdx.ts";
import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { type LicenseStatement, type PackageDetails, packageDetails } from "../model/package-details.ts";
import { statedText } from "./stated-text.ts";

// What an entry of a document says about a package besides what it is, in each form: licences, makers, what it needs.

/** What a package needs by a document. */
export interface StatedNeeds {
  /** The references of entries, which may be no packages. */
  readonly references: readonly string[];
  /** Set if it is not known whether that is all. */
  readonly isPartial?: true | undefined;
  /** Set if it needs something besides that the document does not list. */
  readonly isIncomplete?: true | undefined;
}

/** Licences, makers and addresses of a component of CycloneDX. @param references what Plimsoll writes of licences that are not on the SPDX list: `LicenseRef-Own-1 Own 1` */
export function cycloneDxDetails(component: JsonObject, references: readonly string[]): PackageDetails | undefined {
  const { supplier, publisher, copyright, description, externalReferences } = component;
  const addressOf = (type: string) => statedText(objectsOf(externalReferences).find((each) => each.type === type)?.url);
  return packageDetails({
    licenses: cycloneDxLicenses(component.licenses, references),
    supplier: statedText(memberOf(supplier, "name")),
    originator: statedText(publisher),
    copyright: statedText(copyright),
    description: statedText(description),
    homepage: addressOf("website"),
    sourceAddress: addressOf("vcs") || addressOf("source-distribution"),
  });
}

/**
 * What is declared, if anything is said to be that; else all. An entry is `{ license: { id | name } }` or `{ expression }`, and in XML a licence without the member, or a text.
 * @see https://cyclonedx.org/docs/1.7/json/#components_items_licenses
 */
function cycloneDxLicenses(list: Json | undefined, references: readonly string[]): readonly LicenseStatement[] {
  const entries = Array.isArray(list) ? (list as readonly Json[]) : [];
  const names = new Map(references.map((each) => [each.split(" ", 1)[0] ?? "", each.slice(each.indexOf(" ") + 1)]));
  const byName = new Map(Array.from(names, ([id, name]) => [name, id] as const));
  const stated = entries.map((entry) => {
    const license = memberOf(entry, "license") ?? entry;
    const text = statedText(memberOf(entry, "expression")) || statedText(memberOf(license, "id"));
    const acknowledgement = memberOf(license, "acknowledgement") ?? memberOf(entry, "acknowledgement");
    const name = text || statedText(memberOf(license, "name")) || statedText(entry);
    const byAddress = knownLicense(name) === undefined ? licenseAt(textOf(memberOf(license, "url"))) : undefined;
    const own = text === "" ? byName.get(name) : undefined;
    return { text: name, expression: own ?? byAddress, acknowledgement };
  });
  const declared = stated.filter(({ acknowledgement }) => acknowledgement === "declared");
  return (declared.length > 0 ? declared : stated).flatMap(({ text, expression }) =>
    expression === undefined ? namedLicenses(text, { names, isOurs: true }) : [{ text, expression }],
  );
}

/** What a document says about the references to licences in it. */
export interface StatedReferences {
  /** Their names or texts. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether they are those of Plimsoll, which mean the same in all documents. */
  readonly isOurs: boolean;
}

const reference = /(?<![\w:.-])LicenseRef-[\w.-]+/g;

/** The statements of an expression with what its references stand for, which other tools only define for one document. */
function namedLicenses(text: string, { names, isOurs }: StatedReferences): readonly LicenseStatement[] {
  const ids = text.match(reference) ?? [];
  if (!ids.some((id) => names.has(id))) return statementsOf(text).map((each) => ({ text: each }));
  const replaced = (part: string, by: (name: string) => string) =>
    part.replace(reference, (id) => {
      const name = names.get(id);
      return name === undefined ? id : by(name);
    });
  const bracketed = (expression: string) => (/ (?:AND|OR) /.test(expression) ? `(${expression})` : expression);
  const [only = ""] = ids;
  const alone = ids.length === 1 && only === text.trim() ? names.get(only) : undefined;
  if (alone !== undefined) return [{ text: alone, expression: isOurs ? only : undefined }];
  return statementsOf(text).map((part) => ({
    text: replaced(part, (name) => name),
    expression: isOurs ? part : replaced(part, (name) => bracketed(expressionOf({ text: name }))),
  }));
}

/** What each entry of CycloneDX needs, by its reference. Entries that are not in the graph say nothing. What a reference that no entry has stands for is not listed. */
export function cycloneDxNeeds(
  { dependencies, compositions }: JsonObject,
  entries: Iterable<string>,
): ReadonlyMap<string, StatedNeeds> {
  const isOf = (passes: (aggregate: string) => boolean) =>
    new Set(
      objectsOf(compositions).flatMap(({ aggregate, dependencies: of }) =>
        passes(textOf(aggregate)) ? textsOf(of) : [],
      ),
    );
  const lacking = isOf((aggregate) => aggregate.startsWith("incomplete"));
  const open = isOf((aggregate) => aggregate !== "complete" && !aggregate.startsWith("incomplete"));
  const alone = textsOf(dependencies).filter((ref) => ref !== ""); // of the form in XML, those that need nothing
  const all = [...alone.map((ref) => ({ ref, dependsOn: [] })), ...objectsOf(dependencies)];
  const byRef = Map.groupBy(all, ({ ref }) => textOf(ref)); // the schema forbids a second entry, which tools write all the same
  const known = new Set(entries);
  return new Map(
    Array.from(byRef, ([ref, same]) => {
      const references = [...new Set(same.flatMap(({ dependsOn }) => textsOf(dependsOn).map(ownReference)))];
      const isIncomplete = lacking.has(ref) || references.some((each) => !known.has(each)) || undefined;
      return [ref, { references, isPartial: open.has(ref) || undefined, isIncomplete }] as const;
    }),
  );
}

/** `lib` of `urn:cdx:UUID/1#lib`, as documents also write references to their own entries. */
function ownReference(reference: string): string {
  const at = reference.startsWith("urn:cdx:") ? reference.indexOf("#") : -1;
  return at < 0 ? reference : reference.slice(at + 1);
}

/** Licences and makers of a package of SPDX. */
export function spdxDetails(found: JsonObject, references: StatedReferences): PackageDetails | undefined {
  const { licenseDeclared, licenseConcluded, supplier, originator, copyrightText, homepage, summary } = found;
  return packageDetails({
    licenses: namedLicenses(statedText(licenseDeclared) || statedText(licenseConcluded), references),
    supplier: agentIn(supplier),
    originator: agentIn(originator),
    copyright: statedText(copyrightText),
    description: statedText(summary),
    homepage: statedText(homepage),
  });
}

/** The names of licences that are not on the SPDX list, by their references. One without a name that is only a number is known by its text. */
export function spdxLicenseNames({ hasExtractedLicensingInfos }: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    objectsOf(hasExtractedLicensingInfos).flatMap(({ licenseId, name, extractedText }) => {
      const id = textOf(licenseId);
      const text = statedText(name) || (/^LicenseRef-[\d-]+$/.test(id) ? statedText(extractedText) : "");
      return text === "" ? [] : [[id, text] as const];
    }),
  );
}

/** `Organization: Name (mail)` as `Name <mail>`. */
function agentIn(value: Json | undefined): string {
  const name = statedText(textOf(value).replace(/^(?:Organization|Person|Tool): /, ""));
  return name.endsWith(")") && name.includes(" (") ? `${name.slice(0, -1).replace(" (", " <")}>` : name;
}

/** Types of relationships from a package to what it needs. */
const needing: ReadonlySet<string> = new Set([
  ...["DEPENDS_ON", "DYNAMIC_LINK", "HAS_PREREQUISITE", "STATIC_LINK"],
  ...["HAS_DYNAMIC_LINK", "HAS_OPTIONAL_DEPENDENCY", "HAS_PROVIDED_DEPENDENCY", "HAS_STATIC_LINK"], // of SPDX 3
]);
/** Types of relationships from what a package needs to that package, also where it needs it only by choice, or in development. */
const needed: ReadonlySet<string> = new Set(["PREREQUISITE_FOR"]);
const ofDependencies = /^(?:(?:BUILD|DEV|OPTIONAL|PROVIDED|RUNTIME|TEST)_)?DEPENDENCY_OF$/;

/**
 * What each package of SPDX needs, by its id. That it is all is stated only by `NONE`, and in SPDX 3 by `completeness`. What an id that no element has stands for is not listed.
 * @see https://spdx.github.io/spdx-spec/v2.3/relationships-between-SPDX-elements/
 */
export function spdxNeeds(
  relationships: readonly JsonObject[],
  elements?: ReadonlySet<string>,
): ReadonlyMap<string, StatedNeeds> {
  const found = new Map<string, { readonly references: string[]; isPartial?: true; isIncomplete?: true }>();
  for (const { spdxElementId, relationshipType, relatedSpdxElement, completeness } of relationships) {
    const [from, type, to] = [textOf(spdxElementId), textOf(relationshipType), textOf(relatedSpdxElement)];
    const isNeeded = needed.has(type) || ofDependencies.test(type);
    if (!needing.has(type) && !isNeeded) continue;
    const [who, what] = isNeeded ? [to, from] : [from, to];
    const isWhole = what === "NONE" || completeness === "complete";
    const known = found.get(who) ?? { references: [] };
    found.set(who, known);
    known.references.push(what);
    const isElsewhere = elements !== undefined && !elements.has(what) && what !== "NONE" && what !== "NOASSERTION";
    if (completeness === "incomplete" || isElsewhere) known.isIncomplete = true;
    else if (!isWhole) known.isPartial = true;
  }
  return found;
}

/** The licences of an artifact of Syft: before schema 9 texts, then objects. */
export function syftDetails({ licenses, metadata }: JsonObject): PackageDetails | undefined {
  const entries = Array.isArray(licenses) ? (licenses as readonly Json[]) : [];
  const stated = entries.map(
    (each) => statedText(memberOf(each, "spdxExpression")) || statedText(memberOf(each, "value")) || statedText(each),
  );
  return packageDetails({
    licenses: stated.map((text) => ({ text })),
    supplier: statedText(memberOf(metadata, "maintainer")) || statedText(memberOf(metadata, "vendor")),
    homepage: statedText(memberOf(metadata, "url")) || statedText(memberOf(metadata, "homepage")),
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
