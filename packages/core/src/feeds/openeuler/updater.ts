import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Imports openEuler's security advisories, which are OSV records: from the archive of all records, or a folder. A fix is stated for each
 * release and service pack, with the name of the source.
 * @see https://repo.openeuler.org/security/data/osv/
 */
export const openeulerUpdater: Updater = osvDatabaseUpdater({
  name: "openeuler",
  location: "https://osv-vulnerabilities.storage.googleapis.com/openEuler/all.zip",
  scope: { partBytes: { openeuler: 0 }, sharedBytes: 40e6 },
  isRecord: (name) => name.endsWith(".json"),
  wants: (family) => family === "openEuler",
});
