/**
 * A record of the Open Source Vulnerability format.
 *
 * ```
 * { id, aliases?, upstream?, related?, summary?, details?, published?, withdrawn?, references?: [{ url }], severity?,
 *   affected: [{ package: { ecosystem, name }, ranges?: [{ type, events }], versions?: [version], … }] }
 * ```
 * @see https://ossf.github.io/osv-schema/
 */

import { findCve } from "../../../match/vulnerability-names.ts";
import type { Advisory, AdvisoryRange } from "../../../model/advisory.ts";
import {
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../../model/json-place.ts";
import { findOsvEcosystem, type OsvEcosystem, osvFamily } from "./ecosystems.ts";
import { osvRanges } from "./ranges.ts";
import { osvSeverity } from "./severity.ts";

/** Which ecosystems (`Ubuntu`, `PyPI`) are wanted of a record, which may speak of several. */
export type WantsEcosystem = (family: string) => boolean;

/**
 * The advisories of a record: one for each package of each wanted ecosystem. None where the record was withdrawn.
 * @throws ScanError `malformed_feed` where the record is not as described above
 */
export function osvAdvisories(record: JsonPlace, wants: WantsEcosystem): readonly Advisory[] {
  const id = stringAt(memberAt(record, "id"));
  if (!isAbsent(memberAt(record, "withdrawn"))) return [];
  const facts = factsOf(record, id);
  const byPackage = new Map<string, Advisory>();
  for (const affected of optionalItemsAt(memberAt(record, "affected"))) {
    const statement = statementOf(affected, wants);
    if (statement === undefined) continue;
    const advisoryId = `osv/${id}/${statement.ecosystem.key}/${statement.packageName}`;
    const known = byPackage.get(advisoryId);
    byPackage.set(
      advisoryId,
      known ? extend(known, statement) : advisoryOf(advisoryId, facts, record, affected, statement),
    );
  }
  return [...byPackage.values()];
}

/** What one entry of `affected` says. */
interface Statement {
  readonly ecosystem: OsvEcosystem;
  readonly packageName: string;
  readonly ranges: readonly AdvisoryRange[];
  readonly versions: readonly string[];
}

/** Undefined for a package of no wanted ecosystem, and where no version is spoken of. */
function statementOf(affected: JsonPlace, wants: WantsEcosystem): Statement | undefined {
  const place = memberAt(affected, "package");
  if (isAbsent(place)) return undefined; // a record about commits only
  const name = stringAt(memberAt(place, "ecosystem"));
  const ecosystem = wants(osvFamily(name)) ? findOsvEcosystem(name) : undefined;
  if (ecosystem === undefined) return undefined;
  const ranges = osvRanges(affected);
  const versions = optionalItemsAt(memberAt(affected, "versions")).map(stringAt);
  if (ranges.length === 0 && versions.length === 0) return undefined;
  return { ecosystem, packageName: stringAt(memberAt(place, "name")), ranges, versions };
}

/** A package that is listed again (for another repository or architecture) is affected in the versions of both. */
function extend(known: Advisory, { ranges, versions }: Statement): Advisory {
  const seen = new Set(known.ranges.map((range) => JSON.stringify(range)));
  return {
    ...known,
    ranges: [...known.ranges, ...ranges.filter((range) => !seen.has(JSON.stringify(range)))],
    versions: [...new Set([...known.versions, ...versions])],
  };
}

/** What all advisories of a record share. */
type Facts = Pick<Advisory, "name" | "aliases" | "updater" | "links" | "description" | "issuedAt">;

function factsOf(record: JsonPlace, id: string): Facts {
  const description = optionalStringAt(memberAt(record, "summary")) ?? optionalStringAt(memberAt(record, "details"));
  const issuedAt = Date.parse(optionalStringAt(memberAt(record, "published")) ?? "");
  return {
    name: id,
    aliases: aliasesOf(record).filter((alias) => alias !== id),
    updater: "osv",
    links: linksOf(record),
    ...(description !== undefined && { description }),
    ...(issuedAt > 0 && { issuedAt }), // records without a date have the year 1
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

function advisoryOf(id: string, facts: Facts, record: JsonPlace, affected: JsonPlace, said: Statement): Advisory {
  const module = findModule(record, said.ranges);
  return {
    id,
    ...facts,
    ecosystem: said.ecosystem.key,
    packageName: said.packageName,
    packageKind: said.ecosystem.kind,
    ...(module !== undefined && { module }),
    status: "affected",
    ranges: said.ranges,
    versions: said.versions,
    ...osvSeverity(record, affected),
  };
}

/**
 * The module of a modular rpm, which OSV has no field for. The release of the fix shows that there is one
 * (`1.module+el9.8.0`), the summary which (`Important: nodejs:22 security update`), unless it speaks of several.
 */
function findModule(record: JsonPlace, ranges: readonly AdvisoryRange[]): string | undefined {
  if (!ranges.some(({ fixed }) => /\.module[+_]el/.test(fixed ?? ""))) return undefined;
  const summary = optionalStringAt(memberAt(record, "summary")) ?? "";
  const names = [...summary.matchAll(/(?<=^|\s)([a-z][\w.+-]*:[a-z0-9][\w.+-]*)(?=[\s,]|$)/g)];
  return names.length === 1 ? names[0]?.[1] : undefined;
}
