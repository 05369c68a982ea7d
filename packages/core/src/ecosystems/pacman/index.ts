import { allDistributions } from "../../distributions/all.ts";
import { advisoryKeys, isAnyOf } from "../../distributions/shared/keys.ts";
import { coalesceRecords } from "../../index/coalesce-records.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { FileOwners } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { decodeText } from "../linux/text.ts";
import { pacmanDetector } from "./detector.ts";
import { pacmanEvidence } from "./evidence.ts";
import { pacmanVersions } from "./version.ts";

const distributions = allDistributions.filter(({ packaging }) => packaging === "pacman");

/** Judges the packages of Arch Linux. */
const archMatcher: Matcher = distributionMatcher({
  name: "arch",
  keysRevision: 1,
  ecosystemsOf: advisoryKeys(distributions),
  isFor: isAnyOf(distributions),
  namesSources: () => false,
  subjectOf: (found, kind) => plainSubject(found, kind, pacmanVersions),
  scopeOf: () => sameScope,
});

const place = /^var\/lib\/pacman\/local\/([^/]+)-[^-/]+-[^-/]+\/files$/;

/** Lists the files that packages of pacman own, from each package's list beside its description. */
const pacmanOwners: FileOwners = {
  name: "pacman-owners",
  revision: 2,
  names: { endings: ["/files"] },
  wants: ({ path }) => path.endsWith("/files") && place.test(path),
  *owners(files) {
    for (const { path, bytes } of files) {
      const owner = place.exec(path)?.[1];
      if (owner !== undefined) yield { paths: [...listedFiles(decodeText(bytes))], owner, listedIn: path };
    }
  },
};

/** The files from `%FILES%` to the next blank line, without folders, which end with a slash. */
function* listedFiles(text: string): Iterable<string> {
  let isListing = false;
  for (const line of text.split("\n")) {
    if (line === "%FILES%") isListing = true;
    else if (line === "") isListing = false;
    else if (isListing && !line.endsWith("/")) yield line;
  }
}

/** Packages of pacman: Arch Linux and its derivatives. */
export const pacman: Ecosystem = {
  name: "pacman",
  detectors: [],
  fileDetectors: [pacmanDetector],
  fileOwners: [pacmanOwners],
  evidence: pacmanEvidence,
  matchers: [archMatcher],
  purl: ["alpm"],
  versions: pacmanVersions,
  coalesce: coalesceRecords,
  assesses: ["pacman"],
};
