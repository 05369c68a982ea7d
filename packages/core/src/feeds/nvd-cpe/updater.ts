import { cpeEcosystem } from "../../ecosystems/cpe/matcher.ts";
import type { Updater } from "../../plugins/updater.ts";
import { nvdRecordsUpdater } from "../nvd/records-updater.ts";
import { feedName, nvdAdvisories } from "./advisories.ts";

/**
 * Imports the vulnerabilities of the National Vulnerability Database in products that detectors identify by CPE names: a few
 * thousand of its three hundred thousand.
 */
export const nvdCpeUpdater: Updater = nvdRecordsUpdater({
  name: feedName,
  scope: { partBytes: { [cpeEcosystem]: 0 }, sharedBytes: 130e6 },
  revision: 2,
  read: nvdAdvisories,
});
