import { cpeEcosystem } from "../../ecosystems/cpe/matcher.ts";
import type { Updater } from "../../plugins/updater.ts";
import { nvdRecordsUpdater } from "../nvd/records-updater.ts";
import { feedName, nvdAdvisories } from "./advisories.ts";

/**
 * Brings in what the National Vulnerability Database says of the products that packages here are known by in CPE names, and nothing of
 * others: a few thousand of its three hundred thousand vulnerabilities.
 */
export const nvdCpeUpdater: Updater = nvdRecordsUpdater({
  name: feedName,
  scope: { partBytes: { [cpeEcosystem]: 0 }, sharedBytes: 130e6 },
  revision: 1,
  read: nvdAdvisories,
});
