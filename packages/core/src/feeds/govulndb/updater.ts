import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Brings the Go vulnerability database in: its archive, or a folder with its layout, of which `ID/` has the records and `index/` nothing
 * that they lack. Import paths and symbols are part of the rule.
 * @see https://go.dev/doc/security/vuln/database
 */
export const govulndbUpdater: Updater = osvDatabaseUpdater({
  name: "govulndb",
  location: "https://vuln.go.dev/vulndb.zip",
  scope: { partBytes: { Go: 0 }, sharedBytes: 8e6 },
  isRecord: (name) => /(?:^|\/)GO-\d{4}-\d+\.json$/.test(name),
  revision: 3, // import paths belong to the rule
  wants: (family) => family === "Go",
});
