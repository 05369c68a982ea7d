/**
 * A record of the Open Source Vulnerability format.
 *
 * ```
 * { id, aliases?, upstream?, related?, summary?, details?, published?, withdrawn?, references?: [{ url }], severity?,
 *   affected: [{ package: { ecosystem, name }, ranges?: [{ type, events }], versions?: [version], … }] }
 * ```
 * @see https://ossf.github.io/osv-schema/
 */
import { findCve } from "../../match/vulnerability-names.ts";
import type { Advisory, AdvisoryImport, AdvisoryRange, ArchCondition } from "../../model/advisory.ts";
import { isObject } from "../../model/json-object.ts";
import {
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { lookupName } from "../../model/package-name.ts";
import { type ReadPart, wholeRecord } from "../shared/malformed-feed.ts";
import { archOf } from "./arch.ts";
import { findOsvEcosystem, type OsvEcosystem, osvFamily } from "./ecosystems.ts";
import { commitRanges, isOfCommits, rangesWithCustom } from "./ranges.ts";
import { type OsvSeverity, osvSeverity } from "./severity.ts";
import { osvVersionOrder } from "./version-orders.ts";

/** Whether an ecosystem (`Ubuntu`, `PyPI`) of a record is wanted; a record may be about several. */
export type WantsEcosystem = (family: string) => boolean;

/** The origin of records, and the selection of their entries. */
export interface OsvSource {
  /** The name of the updater. */
  readonly updater: string;
  readonly wants: WantsEcosystem;
  /** The scopes of an entry of `affected`; by default {@link findOsvEcosystem} of its ecosystem. */
  scopesOf?(ecosystem: string, affected: JsonPlace): readonly OsvScope[];
}

/** The scope of one entry of `affected`: packages of an ecosystem. */
export interface OsvScope extends OsvEcosystem {
  /** Changes the ranges for these packages. */
  readonly rangeOf?: (range: AdvisoryRange) => AdvisoryRange;
}

/**
 * The advisories of a record: one for each package and architecture of each wanted ecosystem, and of each module where it names several.
 * None where the record was withdrawn. With `readPart`, a malformed list or text is skipped instead of the record.
 * @throws ScanError `malformed_feed` where the record has no id or no list of what is affected
 */
export function osvAdvisories(
  record: JsonPlace,
  source: OsvSource,
  readPart: ReadPart = wholeRecord,
): readonly Advisory[] {
  const facts = factsOf(record, source.updater, readPart);
  if (!isAbsent(memberAt(record, "withdrawn"))) return readPart.leaveOut("withdrawn");
  if (isPlainErratum(facts)) return readPart.leaveOut("no-security-fix");
  const statements = new Map<string, Statement>();
  for (const affected of optionalItemsAt(memberAt(record, "affected"))) {
    for (const said of readPart(() => statementsOf(record, affected, { source, readPart })) ?? []) {
      const key = [said.ecosystem.key, said.packageName, said.arch?.value]
        .filter((part) => part !== undefined)
        .join("/");
      const known = statements.get(key);
      statements.set(key, known === undefined ? said : joinStatements(known, said));
    }
  }
  const modules = modulesOf(record);
  const idOf = (key: string) => `${source.updater}/${facts.name}/${key}`;
  return [...statements].flatMap(([key, said]) => advisoriesOf(idOf(key), { facts, statement: said, modules }));
}

/** The statement of one entry of `affected`. */
interface Statement {
  readonly ecosystem: OsvEcosystem;
  readonly packageName: string;
  readonly ranges: readonly AdvisoryRange[];
  readonly versions: readonly string[];
  readonly severity: OsvSeverity;
  readonly imports?: readonly AdvisoryImport[];
  readonly arch?: ArchCondition;
}

interface StatementReading {
  readonly source: OsvSource;
  readonly readPart: ReadPart;
}

/** None for a package whose ecosystem is not wanted, and where no version is affected. */
function statementsOf(
  record: JsonPlace,
  affected: JsonPlace,
  { source, readPart }: StatementReading,
): readonly Statement[] {
  const place = memberAt(affected, "package");
  if (isAbsent(place)) return []; // a record about commits only
  const name = stringAt(memberAt(place, "ecosystem"));
  const { wants, scopesOf = scopesByName } = source;
  const scopes = wants(osvFamily(name)) ? scopesOf(name, affected) : [];
  if (scopes.length === 0) return readPart.leaveOut("other-ecosystem", name);
  const stated = rangesWithCustom(affected, osvVersionOrder(osvFamily(name)), readPart);
  const versions = readPart(() => textsAt(affected, "versions")) ?? [];
  const ranges = stated.length === 0 && versions.length === 0 ? commitRanges(affected, readPart) : stated;
  if (ranges.length === 0 && versions.length === 0) return [];
  const severity = readPart(() => osvSeverity(record, affected)) ?? { normalizedSeverity: "Unknown" };
  const imports = importsOf(affected);
  const arch = archOf(affected);
  return scopes.map(({ rangeOf, ...ecosystem }) => ({
    ecosystem,
    packageName: lookupName(ecosystem.key, stringAt(memberAt(place, "name"))),
    ranges: rangeOf === undefined ? ranges : ranges.map(rangeOf),
    versions,
    severity,
    imports: imports.length > 0 ? imports : undefined,
    arch,
  }));
}

function scopesByName(ecosystem: string): readonly OsvScope[] {
  return [findOsvEcosystem(ecosystem) ?? []].flat();
}

/** A package that is listed twice (for another repository) is affected in the versions of both entries. */
function joinStatements(known: Statement, { ranges, versions, imports = [] }: Statement): Statement {
  const seen = new Set(known.ranges.map((range) => JSON.stringify(range)));
  const all = [...known.ranges, ...ranges.filter((range) => !seen.has(JSON.stringify(range)))];
  const ofVersions = all.filter((range) => !isOfCommits(range));
  const listed = [...new Set([...known.versions, ...versions])];
  return {
    ...known,
    ...(imports.length > 0 && { imports: [...(known.imports ?? []), ...imports] }),
    ranges: ofVersions.length === 0 && listed.length === 0 ? all : ofVersions,
    versions: listed,
  };
}

/** What all advisories of a record share. */
type Facts = Pick<Advisory, "name" | "aliases" | "updater" | "links" | "description" | "issuedAt">;

function factsOf(record: JsonPlace, updater: string, readPart: ReadPart): Facts {
  const id = stringAt(memberAt(record, "id"));
  const textOf = (name: string) => readPart(() => optionalStringAt(memberAt(record, name)));
  const description = textOf("summary") ?? textOf("details");
  const issuedAt = Date.parse(textOf("published") ?? "");
  const aliases = readPart(() => aliasesOf(record)) ?? [];
  return {
    name: id,
    aliases: aliases.filter((alias) => alias !== id),
    updater,
    links: readPart(() => linksOf(record)) ?? [],
    description,
    issuedAt: issuedAt > 0 ? issuedAt : undefined, // records without a date have the year 1
  };
}

/** Older errata name the vulnerabilities they fix as `related`, newer ones as `upstream`. */
function aliasesOf(record: JsonPlace): readonly string[] {
  const named = [...textsAt(record, "aliases"), ...textsAt(record, "upstream")];
  const aliases = named.length > 0 ? named : textsAt(record, "related").filter((name) => findCve(name) === name);
  return [...new Set(aliases)];
}

function linksOf(record: JsonPlace): readonly string[] {
  const urls = optionalItemsAt(memberAt(record, "references")).map((reference) => stringAt(memberAt(reference, "url")));
  return [...new Set(urls.filter((url) => /^https?:\/\//.test(url)))];
}

function textsAt(place: JsonPlace, name: string): readonly string[] {
  return optionalItemsAt(memberAt(place, name)).map(stringAt);
}

/** Whether it is an erratum of the Red Hat family for bug fixes or enhancements, like `ALBA-2024:1`, and names no CVE id. */
function isPlainErratum({ name, aliases }: Facts): boolean {
  return /^(?:AL|RH|RL)[BE]A-/.test(name) && !aliases.some((alias) => findCve(alias) !== undefined);
}

interface RecordParts {
  readonly facts: Facts;
  readonly statement: Statement;
  readonly modules: readonly string[];
}

function advisoriesOf(id: string, { facts, statement: said, modules }: RecordParts): readonly Advisory[] {
  const advisory: Advisory = {
    id,
    ...facts,
    ecosystem: said.ecosystem.key,
    packageName: said.packageName,
    packageKind: said.ecosystem.kind,
    arch: said.arch,
    status: "affected",
    ranges: said.ranges,
    versions: said.versions,
    ...said.severity,
    imports: said.imports,
  };
  const isModular = said.ranges.some(({ fixed }) => /\.module[+_]el/.test(fixed ?? ""));
  if (!isModular || modules.length === 0) return [advisory];
  return modules.map((module) => ({ ...advisory, id: `${id}/${module}`, module }));
}

/**
 * The modules of an erratum, for which OSV has no field. A fix of a module has a release like `1.module+el9.8.0`; only the summary
 * names the module: `Important: nodejs:22 security update`, `Low: virt:rhel and virt-devel:rhel …`.
 */
function modulesOf(record: JsonPlace): readonly string[] {
  const { value } = memberAt(record, "summary");
  const summary = typeof value === "string" ? value : "";
  return [...new Set(summary.split(/[\s,]+/).filter((word) => /^[a-z0-9][\w.+-]*:[\w.+-]+$/.test(word)))];
}

/**
 * The import paths and symbols of an entry of `affected`, in the form of the Go vulnerability database. None where there are none, or where
 * the member has another form: each database defines its own.
 *
 *     "ecosystem_specific": { "imports": [{ "path": text, "symbols"?: [text] }] }
 *
 * @see https://go.dev/doc/security/vuln/database#schema
 */
function importsOf(affected: JsonPlace): readonly AdvisoryImport[] {
  const specific = memberAt(affected, "ecosystem_specific").value;
  const imports = isObject(specific) ? specific.imports : undefined;
  return Array.isArray(imports) ? imports.flatMap(importOf) : [];
}

function importOf(value: Json): readonly AdvisoryImport[] {
  if (!isObject(value) || typeof value.path !== "string") return [];
  const symbols = Array.isArray(value.symbols) ? value.symbols.filter((symbol) => typeof symbol === "string") : [];
  return [{ path: value.path, symbols }];
}
