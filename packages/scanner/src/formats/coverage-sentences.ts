import type { Coverage, FeedCoverage } from "@plimsoll/core";
import type { MatchedImage, ReportedImage } from "./reported-image.ts";

/** What a report says nothing about, a sentence each; none where everything was assessed. Every format shows them. */
export function coverageSentences({ index, vulnerabilities }: ReportedImage): readonly string[] {
  const coverage = vulnerabilities?.coverage ?? index.coverage;
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
      ? [`Not judged: ${coverage.thirdPartyPackages} packages that the distribution did not make.`]
      : []),
    ...(vulnerabilities?.feeds ?? []).flatMap(feedSentence),
    ...(vulnerabilities === undefined || vulnerabilities.undecided.length === 0
      ? []
      : [`Undecided: ${vulnerabilities.undecided.length} pairs of a package and a vulnerability.`]),
  ];
}

function layerSentences({ layers }: Coverage): string[] {
  return layers.flatMap(({ digest, status, message = "" }) =>
    status === "read" ? [] : [`Layer ${digest} was not read (${status}): ${message}`],
  );
}

function feedSentence({ ecosystem, covered, outdated }: FeedCoverage): string[] {
  if (!covered) return [`No loaded feed covers ${ecosystem}.`];
  return outdated === true ? [`The advisory data of ${ecosystem} are too old.`] : [];
}

/** Whether "no findings" would mean that nothing is wrong: everything was read, and the advisories for it were at hand. */
export function isWhollyAssessed({ index, vulnerabilities: report }: MatchedImage): boolean {
  const packages = Object.keys(index.packages).length;
  const covered = report.feeds.length > 0 && report.feeds.every((feed) => feed.covered && feed.outdated !== true);
  return report.coverage.status === "complete" && packages > 0 && covered;
}
