import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { cpeMatcher } from "./matcher.ts";
import { cpeVersions } from "./version.ts";

/** Advisories for programs that no package manager installed, by CPE name. */
export const cpe: Ecosystem = {
  name: "cpe",
  detectors: [],
  matchers: [cpeMatcher],
  purl: [],
  versions: cpeVersions,
};
