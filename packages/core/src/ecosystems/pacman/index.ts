import { coalesceRecords } from "../../index/coalesce-records.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { pacmanDetector } from "./detector.ts";
import { pacmanEvidence } from "./evidence.ts";
import { archMatcher } from "./matcher.ts";
import { pacmanOwners } from "./owners.ts";
import { pacmanVersions } from "./version.ts";

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
