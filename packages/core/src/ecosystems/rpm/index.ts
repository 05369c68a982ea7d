import { coalesceDatabases } from "../../index/coalesce-databases.ts";
import type { Ecosystem } from "../../plugins.ts";
import { osvDistributions } from "../shared/osv/distributions.ts";
import { rpmDetector } from "./detector.ts";
import { rpmMatcher } from "./matcher.ts";
import { rpmVersions } from "./version.ts";

/** Red Hat Enterprise Linux and its kin, Fedora, Amazon Linux, SUSE, Photon, Azure Linux. Their advisories come by OSV. */
export const rpm: Ecosystem = {
  name: "rpm",
  versions: rpmVersions,
  detectors: [rpmDetector],
  coalesce: coalesceDatabases({ installsFrom: () => false }),
  matchers: [rpmMatcher],
  updaters: [osvDistributions],
};
