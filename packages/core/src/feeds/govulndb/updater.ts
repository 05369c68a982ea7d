import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Imports the Go vulnerability database: from its archive, or a folder with its layout. `ID/` has the records; `index/` adds nothing to
 * them. Import paths and symbols are part of the rule.
 * @see https://go.dev/doc/security/vuln/database
 */
export const govulndbUpdater: Updater = osvDatabaseUpdater({
  name: "govulndb",
  location: "https://vuln.go.dev/vulndb.zip",
  scope: { partBytes: { Go: 0 }, sharedBytes: 8e6 },
  isRecord: (name) => name.endsWith(".json") && !/(?:^|\/)index\//.test(name),
  revision: 5, // import paths belong to the rule
  wants: (family) => family === "Go",
});
