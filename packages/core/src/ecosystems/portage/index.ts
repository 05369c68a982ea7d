import { coalesceRecords } from "../../index/coalesce-records.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { portageDetector } from "./detector.ts";
import { portageEvidence } from "./evidence.ts";
import { portageOwners } from "./owners.ts";

/** Packages of Portage: Gentoo and its derivatives. */
export const portage: Ecosystem = {
  name: "portage",
  detectors: [],
  fileDetectors: [portageDetector],
  fileOwners: [portageOwners],
  evidence: portageEvidence,
  matchers: [],
  purl: ["ebuild"],
  coalesce: coalesceRecords,
  assesses: ["portage"],
};
