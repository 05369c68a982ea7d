import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/**
 * Imports the advisories of the Python Packaging Authority: OSV records in YAML, `vulns/PACKAGE/PYSEC-….yaml`.
 * @see https://github.com/pypa/advisory-database
 */
export const pypaUpdater: Updater = osvDatabaseUpdater({
  name: "pypa",
  location: "https://codeload.github.com/pypa/advisory-database/tar.gz/refs/heads/main",
  scope: { partBytes: { PyPI: 0 }, sharedBytes: 10e6 },
  isRecord: (name) => /\.(?:ya?ml|json)$/.test(name),
  wants: (family) => family === "PyPI",
});
