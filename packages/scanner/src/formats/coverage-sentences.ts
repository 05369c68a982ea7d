import type { Coverage, FeedCoverage } from "@plimsoll/core";
import type { ReportedImage } from "./reported-image.ts";

/** What a report says nothing about, a sentence each; none where everything was assessed. Every format shows them. */
export function coverageSentences({ index, vulnerabilities }: ReportedImage): readonly string[] {
  const coverage = vulnerabilities?.coverage ?? index.coverage;
  return [
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
