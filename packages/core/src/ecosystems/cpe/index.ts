import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { cpeMatcher } from "./matcher.ts";
import { cpeVersions } from "./version.ts";

/** Products by their CPE names: advisories for programs that no package manager brought. */
export const cpe: Ecosystem = {
  name: "cpe",
  detectors: [],
  matchers: [cpeMatcher],
  purl: [],
  versions: cpeVersions,
};
