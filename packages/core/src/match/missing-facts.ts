import { type PackageFact, packageFacts, type UndecidedPackages } from "../model/index-report.ts";
import { unstatedKey } from "../model/package.ts";
import type { IndexRecord, UndecidedReason } from "../plugins/matcher.ts";
import type { Judgement, MatchResult } from "./judgement.ts";
import { ownerOf } from "./owners.ts";

/** A package, and the facts about it without which it cannot be judged. */
export type UndecidedRecord = MatchResult["undecidedRecords"][number];

/** What matchers say about one package. */
export interface Judged {
  /** `Matcher.missingFacts` of all matchers. */
  readonly missing: readonly PackageFact[];
  /** Whether advisories were looked up by any key. */
  readonly hasKeys: boolean;
  /** All verdicts. */
  readonly judgements: readonly Judgement[];
  /** The undecided verdicts that no other advisory decides. */
  readonly undecided: readonly Judgement[];
}

const nothing: readonly PackageFact[] = [];

/**
 * The facts about a package without which it cannot be judged:
 *
 * 1. Those that matchers need to find advisories, and that are not known. A source that advisories name is known: it is the package's own name. So is
 *    a Maven group that may be a guess, if there are advisories with it. A group that is not known is not needed where no advisory about an artifact of any group
 *    applies.
 * 2. The ecosystem, if no matcher looks up advisories. The advisories of a distribution cover files that its packages own, and those of a language a
 *    package of conda that is the same software.
 * 3. The owner of its file, if an advisory of its language affects the package: a package of the distribution may have the fix.
 * 4. Those that undecided verdicts would need. A version that cannot be compared matters only if there is an advisory to compare it with. Where the
 *    advisory lacks the fact, it is `statement`.
 */
export function missingFactsOf(record: IndexRecord, judged: Judged): readonly PackageFact[] {
  const { missing, hasKeys, judgements, undecided } = judged;
  const lacksOwner = isUnstated(record, "owner") && judgements.some(({ verdict }) => verdict.kind === "affected");
  const { possibleNames = [] } = record;
  const isGuessed = ({ advisory }: Judgement) => possibleNames.includes(advisory.packageName);
  const lacksGroup = isUnstated(record, "group") && judgements.every(isGuessed);
  if (hasKeys && missing.length === 0 && undecided.length === 0 && !lacksOwner && !lacksGroup) return nothing;
  const facts = new Set(missing);
  if (lacksGroup) facts.add("group");
  if (lacksOwner) facts.add("owner");
  if (facts.has("source") && judgements.some(isAboutSource)) facts.delete("source");
  for (const { verdict } of undecided) {
    const fact = verdict.kind === "undecided" ? factOf(verdict.reason, record) : undefined;
    if (fact !== undefined) facts.add(fact);
  }
  const isJudgedElsewhere = ownerOf(record) !== undefined || record.sameSoftware !== undefined;
  if (!hasKeys && facts.size === 0 && !isJudgedElsewhere) facts.add("ecosystem");
  return [...facts];
}

function isAboutSource({ advisory: { packageKind }, verdict }: Judgement): boolean {
  return packageKind === "SOURCE" && !(verdict.kind === "not-affected" && verdict.reason === "other-kind");
}

/** The fact that an undecided verdict would need; undefined where the coverage says it otherwise: as a problem, or by the number of packages of third parties. */
function factOf(reason: UndecidedReason, { package: found }: IndexRecord): PackageFact | undefined {
  switch (reason) {
    case "version-unknown":
    case "malformed-package-version":
      return "version";
    case "epoch-unknown":
      return "epoch";
    case "group-unknown":
      return "group";
    case "module-unknown":
      return found.module === undefined ? "module" : "statement";
    case "malformed-advisory-version":
    case "product-unknown":
    case "vendor-undetermined":
      return "statement";
    case "matcher-failed":
    case "third-party-package":
      return undefined;
  }
}

/** Whether the document that lists a package does not state a fact about it; see {@link unstatedKey}. */
export function isUnstated({ repositories }: Pick<IndexRecord, "repositories">, fact: PackageFact): boolean {
  return repositories.some(({ key, name }) => key === unstatedKey && name === fact);
}

/** Groups packages by the fact that is missing. */
export function undecidedPackages(records: readonly UndecidedRecord[]): readonly UndecidedPackages[] {
  return packageFacts.flatMap((fact) => {
    const found = records.filter(({ facts }) => facts.includes(fact)).map(({ record }) => record.package.id);
    const packageIds = [...new Set(found)].sort((a, b) => Number(a) - Number(b));
    return packageIds.length === 0 ? [] : [{ fact, packageIds }];
  });
}
