import { ScanError } from "../../errors.ts";
import { judgeVersion, notAffected, undecided } from "../../match/judge-version.ts";
import { ownerOf } from "../../match/owners.ts";
import type { Installed } from "../../match/range.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { compareCpe } from "../../model/cpe/match.ts";
import { parseWfn } from "../../model/cpe/parse.ts";
import { any, notApplicable, type Wfn } from "../../model/cpe/wfn.ts";
import { languagePurls } from "../../model/language-purls.ts";
import type { IndexRecord, Matcher, Trace, Verdict } from "../../plugins/matcher.ts";
import { findVersion } from "../../versions/define-order.ts";
import { productNames } from "./products.ts";
import { cpeVersions } from "./version.ts";

/** The ecosystem in the keys of advisories by CPE name. */
export const cpeEcosystem = "cpe";

/** The repository of programs that no package manager installed. */
const genericRepository = "generic";

/**
 * Judges packages that only a CPE name identifies: programs that no package manager installed. Packages of distributions and languages
 * have more exact advisories elsewhere.
 */
export const cpeMatcher: Matcher = {
  name: "cpe",
  keysRevision: 2,
  accepts: (record) => !isDescribedElsewhere(record) && namesOf(record).length > 0,
  keys: (record) => namesOf(record).map((name) => ({ ecosystem: cpeEcosystem, name })),
  judge(record, advisory, trace) {
    const installed = nameOf(record);
    if (installed === undefined) return undecided("version-unknown");
    switch (relationTo(advisory, installed)) {
      case "other":
        trace?.step("other-product", `the advisory is about ${advisory.cpes?.join(", ")}`);
        return notAffected("other-product");
      case "unknown": {
        const verdict = judgeRelease({ advisory, record, installed, trace });
        if (verdict.kind !== "affected") return verdict;
        trace?.step("product-unknown", `the advisory is about ${advisory.cpes?.join(", ")} only`);
        return undecided("product-unknown");
      }
      case "same":
        return judgeRelease({ advisory, record, installed, trace });
    }
  },
};

interface ReleaseCase {
  readonly advisory: AdvisoryRule;
  readonly record: IndexRecord;
  readonly installed: Wfn;
  readonly trace: Trace | undefined;
}

/** Judges by the version. A listed version without an update also covers its updates: `9.2` covers `9.2p1`. */
function judgeRelease({ advisory, record, installed, trace }: ReleaseCase): Verdict {
  const verdict = judgeVersion({ advisory, installed: comparable(record.package.version), trace });
  const listed = advisory.versions.filter((version) => !version.endsWith(releaseOnly));
  if (verdict.kind !== "not-affected" || installed.update === any || listed.length === 0) return verdict;
  const release = comparable(installed.version.replaceAll(/\\(.)/g, "$1"));
  return judgeVersion({ advisory: { ...advisory, ranges: [], versions: listed }, installed: release, trace });
}

/** The suffix of a listed version that covers only the release itself and none of its updates. */
export const releaseOnly = ":-";

/** Whether more exact advisories exist: for packages of distributions and languages, and for programs that belong to or are such a package. */
function isDescribedElsewhere(record: IndexRecord): boolean {
  const { distribution, repositories } = record;
  if (ownerOf(record) !== undefined || record.sameSoftware !== undefined) return true;
  const isGeneric = repositories.some(({ name }) => name === genericRepository);
  return !isGeneric && (distribution !== undefined || repositories.some(({ name = "" }) => languagePurls.has(name)));
}

function namesOf(record: IndexRecord): readonly string[] {
  const name = nameOf(record);
  return name?.part === "a" ? productNames(`${name.vendor}:${name.product}`) : [];
}

const parsed = new WeakMap<object, { readonly name: Wfn | undefined }>();

/** The CPE name of the package; undefined if it has none, or a malformed one. */
function nameOf({ package: found }: IndexRecord): Wfn | undefined {
  if (found.cpe === undefined) return undefined;
  const known = parsed.get(found) ?? { name: findWfn(found.cpe) };
  parsed.set(found, known);
  return known.name;
}

function findWfn(cpe: string): Wfn | undefined {
  try {
    return parseWfn(cpe);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

function comparable(text: string): Installed {
  return { scheme: cpeVersions, text, version: findVersion(cpeVersions, text) };
}

/** Whether an advisory is about another product, about the installed one, or about an edition that the installed one may or may not be. */
type ProductRelation = "other" | "same" | "unknown";

/**
 * Compares the CPE names of an advisory with an installed product, attribute by attribute as in NIST IR 7696. Vendor and product are not compared,
 * because they were looked up already. A program without an update is the release itself; a program without an edition or platform may be any.
 */
function relationTo({ cpes = [] }: AdvisoryRule, installed: Wfn): ProductRelation {
  const update = installed.update === any ? notApplicable : installed.update;
  const relations = cpes.map((cpe) => relationOf(parseWfn(cpe), { ...installed, update }));
  if (relations.includes("same")) return "same";
  return relations.includes("unknown") ? "unknown" : "other";
}

function relationOf(pattern: Wfn, installed: Wfn): ProductRelation {
  const { vendor, product } = pattern;
  switch (compareCpe(pattern, { ...installed, vendor, product })) {
    case "superset":
    case "equal":
      return "same";
    case "disjoint":
      return "other";
    case "subset":
    case "undefined":
      return "unknown";
  }
}
