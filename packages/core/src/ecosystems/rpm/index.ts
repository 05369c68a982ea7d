import { coalesceDatabases } from "../../index/coalesce-databases.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { bottlerocketDetector } from "./bottlerocket-inventory.ts";
import { buildInfoDetector } from "./build-info.ts";
import { containerManifestDetector } from "./container-manifest.ts";
import { rpmDependencies } from "./dependencies.ts";
import { rpmDetector } from "./detector.ts";
import { rpmEvidence } from "./evidence.ts";
import { rpmMatcher } from "./matcher.ts";
import { rpmOrigins } from "./origins.ts";
import { rpmFileLists, rpmOwners } from "./owners.ts";
import { rpmSettings } from "./settings.ts";
import { unusedRpmDatabases } from "./unused-databases.ts";
import { findThirdParty } from "./vendors.ts";
import { rpmVersions } from "./version.ts";

/** Packages of rpm: Red Hat Enterprise Linux and its rebuilds, Fedora, Amazon Linux, SUSE, Photon, Azure Linux, Bottlerocket. */
export const rpm: Ecosystem = {
  name: "rpm",
  detectors: [rpmDetector, rpmSettings, buildInfoDetector, bottlerocketDetector, containerManifestDetector],
  fileOwners: [rpmOwners],
  fileLists: [rpmFileLists],
  evidence: rpmEvidence,
  dependencies: rpmDependencies,
  matchers: [rpmMatcher],
  purl: ["rpm"],
  versions: rpmVersions,
  coalesce: coalesceDatabases({
    origins: rpmOrigins,
    packagingOf: () => "rpm",
    thirdPartyOf: ({ maker }, release) => findThirdParty(maker, release),
  }),
  unusedDatabases: unusedRpmDatabases,
};
