import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Brings openEuler's security advisories in, as OSV records: the archive of them all, or a folder of records. A fix is stated for each
 * release and service pack under the name of the source.
 * @see https://repo.openeuler.org/security/data/osv/
 */
export const openeulerUpdater: Updater = osvDatabaseUpdater({
  name: "openeuler",
  location: "https://osv-vulnerabilities.storage.googleapis.com/openEuler/all.zip",
  scope: { partBytes: { openeuler: 0 }, sharedBytes: 40e6 },
  isRecord: (name) => /(?:^|\/)OESA-\d{4}-\d+\.json$/.test(name),
  wants: (family) => family === "openEuler",
});
