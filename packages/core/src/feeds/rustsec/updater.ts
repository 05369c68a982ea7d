import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Imports the RustSec advisory database, from its branch with OSV records.
 * @see https://github.com/rustsec/advisory-db/tree/osv
 */
export const rustsecUpdater: Updater = osvDatabaseUpdater({
  name: "rustsec",
  location: "https://codeload.github.com/rustsec/advisory-db/tar.gz/refs/heads/osv",
  scope: { partBytes: { "crates.io": 0 }, sharedBytes: 3e6 },
  isRecord: (name) => name.endsWith(".json"),
  wants: (family) => family === "crates.io",
});
