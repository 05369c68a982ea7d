import { coalesceDatabases, repositoryFiles } from "../../index/coalesce-databases.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { dpkgDetector } from "./detector.ts";
import { debianMatcher, ubuntuMatcher } from "./matcher.ts";
import { dpkgOwners } from "./owners.ts";
import { dpkgVersions } from "./version.ts";

/** Packages of dpkg and opkg: Debian, Ubuntu and distributions built from them. */
export const dpkg: Ecosystem = {
  name: "dpkg",
  detectors: [dpkgDetector],
  fileOwners: [dpkgOwners],
  matchers: [debianMatcher, ubuntuMatcher],
  purl: ["deb"],
  versions: dpkgVersions,
  coalesce: coalesceDatabases({ origins: repositoryFiles((path) => path === "var/lib/ubuntu-advantage/status.json") }),
};
