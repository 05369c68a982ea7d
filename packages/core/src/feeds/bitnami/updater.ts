import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Imports Bitnami's vulnerability database, which has OSV records: from the archive of its repository, or a folder with its layout
 * (`data/<component>/BIT-*.json`).
 * @see https://github.com/bitnami/vulndb
 */
export const bitnamiUpdater: Updater = osvDatabaseUpdater({
  name: "bitnami",
  location: "https://codeload.github.com/bitnami/vulndb/tar.gz/refs/heads/main",
  scope: { partBytes: { Bitnami: 0 }, sharedBytes: 6e6 },
  isRecord: (name) => name.endsWith(".json"),
  wants: (family) => family === "Bitnami",
});
