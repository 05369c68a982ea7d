import type { Updater } from "../../plugins/updater.ts";
import { osvDatabaseUpdater } from "../osv/database.ts";

/** The ecosystems whose advisories GitHub reviews and for which there are matchers. */
const ecosystems: ReadonlySet<string> = new Set([
  "Go",
  "Maven",
  "NuGet",
  "Packagist",
  "PyPI",
  "RubyGems",
  "crates.io",
  "npm",
]);

/**
 * Imports the reviewed advisories of GitHub's database, which are OSV records. Those under `unreviewed/` name no packages.
 * @see https://github.com/github/advisory-database
 */
export const ghsaUpdater: Updater = osvDatabaseUpdater({
  name: "ghsa",
  location: "https://codeload.github.com/github/advisory-database/tar.gz/refs/heads/main",
  scope: { partBytes: Object.fromEntries([...ecosystems].map((name) => [name, 0])), sharedBytes: 150e6 },
  isRecord: (name) => (/(?:^|\/)unreviewed\//.test(name) ? "not-reviewed" : name.endsWith(".json")),
  wants: (family) => ecosystems.has(family),
});
