/**
 * A definition of the Open Vulnerability and Assessment Language (OVAL), in the form that distributions use.
 *
 * ```
 * definition = metadata criteria
 * metadata   = title reference* description (advisory | severity advisory_date)
 * advisory   = (issued | public_date) severity cve*
 * criteria   = (criteria | criterion)*       operator AND (the default) or OR, negate
 * ```
 * @see https://oval-community-guidelines.readthedocs.io
 */
import { isCve } from "../../match/vulnerability-names.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import type { PackageKind } from "../../model/package.ts";
import { malformedRecord, type ReadPart } from "../shared/malformed-feed.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";
import { childrenNamed, childText, findChild, type XmlElement } from "../shared/xml-elements.ts";
import { type OvalRow, ovalRows } from "./criteria.ts";
import type { OvalTables } from "./tables.ts";

/** The differences between the documents of vendors. */
export interface OvalVendor {
  /** The name of the updater. */
  readonly updater: string;
  /** Whether the documents name source packages or binary packages. */
  readonly packageKind: PackageKind;
  /** The keys of the advisories of a row; none for releases that no image is matched with. */
  ecosystemsOf(row: OvalRow, metadata: XmlElement): readonly string[];
  /** CPE names of the products of a definition. */
  cpesOf?(metadata: XmlElement): readonly string[];
  /** A text that may precede the name in the title of a definition. */
  readonly titlePrefix?: string;
  /** Whether the vendor has withdrawn the definition, or states that nothing in it is affected. */
  isWithdrawn?(metadata: XmlElement): boolean;
}

/** The document of definitions. */
export interface OvalSource {
  readonly vendor: OvalVendor;
  readonly tables: OvalTables;
}

/**
 * The advisories of a definition: one for each package, module and architecture of each release. A malformed criterion is skipped.
 * @throws ScanError `malformed_feed` where the definition has no name or no criteria
 */
export function ovalAdvisories(
  definition: XmlElement,
  { vendor, tables }: OvalSource,
  readPart: ReadPart,
): readonly Advisory[] {
  if (definition.attributes.class === "inventory") return readPart.leaveOut("not-an-advisory");
  const metadata = findChild(definition, "metadata");
  const criteria = findChild(definition, "criteria");
  if (metadata === undefined || criteria === undefined)
    throw malformedRecord("a definition without metadata or criteria");
  const facts = factsOf(metadata, vendor);
  const isWithdrawn = vendor.isWithdrawn?.(metadata) ?? false;
  const number = definition.attributes.id?.split(":").at(-1) ?? "";
  const statements = new Map<string, Statement>();
  for (const row of ovalRows(criteria, tables, readPart)) {
    const ecosystems = vendor.ecosystemsOf(row, metadata);
    if (ecosystems.length === 0) readPart.leaveOut("other-ecosystem");
    for (const ecosystem of ecosystems) addRow(statements, ecosystem, row);
  }
  return [...statements].map(([key, statement]) =>
    advisoryOf(`${vendor.updater}/${facts.name}/${number}/${key}`, facts, isWithdrawn ? denied(statement) : statement),
  );
}

/** The statement of a definition on one package. */
interface Statement {
  readonly ecosystem: string;
  readonly row: OvalRow;
  /** None where no version is affected. */
  readonly ranges: readonly AdvisoryRange[];
}

/** A package that is listed twice, for another product of the release, is affected in the versions of both rows. */
function addRow(statements: Map<string, Statement>, ecosystem: string, row: OvalRow): void {
  const { module, arch, package: named } = row;
  const key = [ecosystem, named.name, module, arch?.value].filter((part) => part !== undefined).join("/");
  const ranges = statements.get(key)?.ranges ?? [];
  const { range } = named;
  const isKnown = range === undefined || ranges.some((known) => JSON.stringify(known) === JSON.stringify(range));
  statements.set(key, { ecosystem, row, ranges: isKnown ? ranges : [...ranges, range] });
}

function denied(statement: Statement): Statement {
  return { ...statement, ranges: [] };
}

/** What all advisories of a definition share. */
type Facts = Omit<Advisory, "id" | "ecosystem" | "packageName" | "module" | "arch" | "status" | "ranges">;

function factsOf(metadata: XmlElement, { updater, packageKind, cpesOf, titlePrefix = "" }: OvalVendor): Facts {
  const advisory = findChild(metadata, "advisory");
  const references = childrenNamed(metadata, "reference");
  const cves = childrenNamed(advisory, "cve");
  const name = nameOf(metadata, titlePrefix);
  const names = [...references.map(({ attributes }) => attributes.ref_id ?? ""), ...cves.map(({ text }) => text)];
  const severity = childText(advisory, "severity") ?? childText(metadata, "severity");
  const description = childText(metadata, "description");
  const issued = [
    findChild(advisory, "issued")?.attributes.date,
    childText(advisory, "public_date"),
    childText(metadata, "advisory_date"),
  ].find((date) => date !== undefined);
  const issuedAt = Date.parse(issued ?? "");
  const cpes = cpesOf?.(metadata) ?? [];
  return {
    updater,
    name,
    aliases: [...new Set(names)].filter((alias) => isCve(alias) && alias !== name),
    packageKind,
    cpes: cpes.length > 0 ? cpes : undefined,
    versions: [],
    description,
    issuedAt: issuedAt > 0 ? issuedAt : undefined,
    links: linksOf([...references.map(({ attributes }) => attributes.ref_url), ...cves.map(hrefOf)]),
    severity,
    normalizedSeverity: normalizeSeverity(updater, severity),
  };
}

/** The first word of the title: `ELSA-2007-0057:  Moderate: …`, `CVE-2024-47191 affecting package …`. */
function nameOf(metadata: XmlElement, prefix: string): string {
  const whole = childText(metadata, "title") ?? "";
  const title = prefix !== "" && whole.startsWith(prefix) ? whole.slice(prefix.length).trim() : whole;
  const name = /^[A-Za-z]+-[\w:.-]*\d/.exec(title)?.[0];
  if (name === undefined)
    throw malformedRecord(`the title ${JSON.stringify(title.slice(0, 80))}, which does not begin with a name`);
  return name;
}

function hrefOf({ attributes }: XmlElement): string | undefined {
  return attributes.href;
}

function linksOf(urls: readonly (string | undefined)[]): readonly string[] {
  const links = urls.filter((url) => url !== undefined && /^https?:\/\//.test(url));
  return [...new Set(links as readonly string[])];
}

function advisoryOf(id: string, facts: Facts, { ecosystem, row, ranges }: Statement): Advisory {
  const { module, arch, package: named } = row;
  return {
    id,
    ...facts,
    ecosystem,
    packageName: named.name,
    module,
    arch,
    status: ranges.length === 0 ? "not-affected" : "affected",
    ranges: ranges.length === 0 ? [{}] : ranges,
  };
}
