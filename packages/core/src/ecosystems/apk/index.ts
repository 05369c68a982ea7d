import { coalesceDatabases, repositoryFiles } from "../../index/coalesce-databases.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { apkDetector } from "./detector.ts";
import { apkEvidence } from "./evidence.ts";
import { alpineMatcher } from "./matcher.ts";
import { apkOwners } from "./owners.ts";
import { apkVersions } from "./version.ts";

/** Packages of apk: Alpine, Wolfi, Chainguard and distributions built from them. */
export const apk: Ecosystem = {
  name: "apk",
  detectors: [apkDetector],
  fileOwners: [apkOwners],
  evidence: apkEvidence,
  matchers: [alpineMatcher],
  purl: ["apk"],
  versions: apkVersions,
  coalesce: coalesceDatabases({ origins: repositoryFiles((path) => path === "etc/apk/repositories") }),
};
