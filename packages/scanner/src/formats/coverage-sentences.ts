import type { IndexReport } from "@plimsoll/core";
import {
  type Coverage,
  type EndOfLife,
  endedAt,
  type FeedCoverage,
  releaseName,
  undecidedPairsText,
  undecidedText,
} from "@plimsoll/core/internal";
import type { MatchedImage, ReportedImage } from "./reported-image.ts";

/** The coverage of a report: of the matched report, which also counts packages that cannot be judged, if the image was matched. */
export function coverageIn({ index, vulnerabilities }: ReportedImage): Coverage {
  return vulnerabilities?.coverage ?? index.coverage;
}

/**
 * How complete a list of packages is: as the coverage says, but a package of which an advisory does not say whether it is affected does not make the list incomplete.
 */
export function listStatus(image: ReportedImage): Coverage["status"] {
  const { status, undecided = [], problems, thirdPartyPackages } = coverageIn(image);
  const { index, vulnerabilities } = image;
  const isByStatement = undecided.length > 0 && undecided.every(({ fact }) => fact === "statement");
  if (status === "complete" || !isByStatement || problems.length > index.coverage.problems.length) return status;
  const isCovered = vulnerabilities?.feeds.every(({ covered }) => covered) === true;
  return isCovered && thirdPartyPackages === 0 ? index.coverage.status : status;
}

/**
 * Sentences about what a report does not cover and about what no longer gets security fixes; none if everything was assessed. Every
 * format shows them.
 * @param now when the document is made, in epoch milliseconds
 */
export function coverageSentences(image: ReportedImage, now: number): readonly string[] {
  const { index, vulnerabilities } = image;
  const coverage = coverageIn(image);
  const packages = Object.keys(index.packages).length;
  return [
    ...(packages === 0 ? ["No package that is known was found in the image."] : []),
    ...(packages > 0 && vulnerabilities?.feeds.length === 0
      ? ["No advisories were looked at: the packages are of no distribution or language whose advisories are known."]
      : []),
    ...layerSentences(coverage),
    ...coverage.problems.map(({ at, message }) => `${at}: ${message}`),
    ...coverage.unassessed.map(({ kind, count }) => `Not assessed: ${count} ${kind} (pieces of evidence).`),
    ...(coverage.thirdPartyPackages > 0
      ? [`Not judged: ${countOf(coverage.thirdPartyPackages, "package")} that the distribution did not make.`]
      : []),
    ...(coverage.undecided ?? []).map((each) => `Undecided: ${undecidedText(each, index.packages)}.`),
    ...(vulnerabilities?.feeds ?? []).flatMap(feedSentence),
    ...(vulnerabilities === undefined || vulnerabilities.undecided.length === 0
      ? []
      : [
          `Undecided: ${countOf(vulnerabilities.undecided.length, "pair")} of a package and a vulnerability: ${undecidedPairsText(vulnerabilities.undecided, vulnerabilities.packages)}.`,
        ]),
    ...endedAt(vulnerabilities?.endsOfLife ?? [], now).map((end) => endSentence(end, index)),
  ];
}

/** A number with its noun: `1 package`, `2 packages`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function layerSentences({ layers }: Coverage): string[] {
  return layers.flatMap(({ digest, status, message = "" }) =>
    status === "read" ? [] : [`Layer ${digest} was not read (${status}): ${message}`],
  );
}

function feedSentence({ ecosystem, covered, outdated, failure, checkedAt }: FeedCoverage): string[] {
  if (!covered) return [`No loaded feed covers ${ecosystem}.`];
  const since = checkedAt === undefined ? "before" : new Date(checkedAt).toISOString();
  return [
    ...(outdated === true ? [`The advisory data of ${ecosystem} are too old.`] : []),
    ...(failure === undefined
      ? []
      : [`The last update of the advisory data of ${ecosystem} failed; they are of ${since}. ${failure}`]),
  ];
}

function endSentence(end: EndOfLife, { distributions, packages }: IndexReport): string {
  if (end.kind === "distribution") {
    const release = releaseName(distributions[end.distributionId] ?? {});
    return `${release || "The distribution"} gets no security fixes since ${end.day}.`;
  }
  const { name, version } = packages[end.packageId] ?? { name: end.product, version: "" };
  return `${end.product} ${end.release} (${name} ${version}) gets no security fixes since ${end.day}.`;
}

/** Whether "no findings" means that no vulnerability is known: everything was read and current advisories cover it. */
export function isWhollyAssessed({ index, vulnerabilities: report }: MatchedImage): boolean {
  const packages = Object.keys(index.packages).length;
  const covered = report.feeds.length > 0 && report.feeds.every((feed) => feed.covered && feed.outdated !== true);
  return report.coverage.status === "complete" && packages > 0 && covered;
}
