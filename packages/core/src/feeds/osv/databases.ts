import type { FeedScope, Updater } from "../../plugins/updater.ts";
import { databaseUpdater } from "../shared/database-updater.ts";
import type { WantsDocument } from "../shared/feed-text.ts";
import { readRecords } from "./items.ts";
import type { OsvSource } from "./record.ts";

/** A database whose documents are OSV records, in JSON or YAML. */
interface OsvDatabase {
  /** The name of the feed. */
  readonly name: string;
  /** The address of its archive. */
  readonly location: string;
  readonly scope: FeedScope;
  /** Whether a document may be a record, by its name. */
  readonly isRecord: WantsDocument;
  readonly wants: OsvSource["wants"];
  /** Increased when a change alters the advisories of the same records, in this database only. */
  readonly revision?: number;
}

/** Increased when a change alters the advisories of the same records, in all databases. */
const commonRevision = 4;

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

/** The updater of a database of OSV records. @see https://ossf.github.io/osv-schema/ */
function osvDatabaseUpdater({
  name,
  location,
  scope,
  isRecord,
  wants,
  revision = commonRevision,
}: OsvDatabase): Updater {
  const source = { updater: name, wants };
  return databaseUpdater({ name, location, scope, revision, wants: isRecord, reader: () => readRecords(source) });
}

/** The reviewedEcosystems whose advisories GitHub reviews and for which there are matchers. */
const reviewedEcosystems: ReadonlySet<string> = new Set([
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
  scope: { partBytes: Object.fromEntries([...reviewedEcosystems].map((name) => [name, 0])), sharedBytes: 150e6 },
  isRecord: (name) => (/(?:^|\/)unreviewed\//.test(name) ? "not-reviewed" : name.endsWith(".json")),
  wants: (family) => reviewedEcosystems.has(family),
});

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
