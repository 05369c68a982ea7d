/**
 * An index of published Java archives, an SQLite database. Other scanners publish one in this form, as an artifact in a registry:
 *
 * ```
 * artifacts  id INTEGER PRIMARY KEY, group_id TEXT, artifact_id TEXT      indexes: artifacts_idx (artifact_id, group_id)
 * indices    artifact_id INTEGER, version TEXT, sha1 BLOB, archive_type TEXT         indices_sha1_idx (sha1)
 * ```
 * An index that we build also has digests of folders of classes (`copied-classes.ts`):
 *
 * ```
 * classes    artifact_id INTEGER, version TEXT, digest BLOB                          classes_digest_idx (digest)
 * ```
 * @see https://github.com/aquasecurity/trivy-java-db
 */
import type { ByteParts } from "../../bytes/byte-parts.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { JavaCoordinates, OpenIndexFile, PublishedArtifact } from "../../plugins/lookups.ts";
import { decodeSqliteFile, type SqliteFile } from "../../sqlite/file.ts";
import type { SqliteValue } from "../../sqlite/record.ts";
import { findRow, lastRowId, seekIndex } from "../../sqlite/seek.ts";
import { readTree } from "../../sqlite/tree.ts";
import { maxArtifacts } from "./copied-classes.ts";
import { isId, isVersion } from "./pom-properties.ts";

/** The bytes of an index, and what the platform knows about them. */
export interface JavaIndexFile {
  readonly bytes: ByteParts;
  /** See {@link JavaCoordinates.state}. */
  readonly state: string;
  /** See {@link JavaCoordinates.file}. */
  readonly file?: OpenIndexFile;
  /** The SHA-1 of bytes. */
  sha1(bytes: ByteParts): Uint8Array;
}

/** Groups that are read for the name of an artifact. */
const maxGroups = 20;

/**
 * Looks up archives in an index. Each look-up reads some ten pages, so an index of any size takes little memory.
 * @throws ScanError `malformed_package_db` if the bytes are not such an index
 * @example
 * declare const bytes: Uint8Array;
 * declare const sha1: (bytes: ByteParts) => Uint8Array;
 * const java = readJavaIndex({ bytes, state: "2026-11-01", sha1 });
 * const engine = createEngine({ ecosystems: allEcosystems, lookups: { java } });
 */
export function readJavaIndex({ bytes, state, file, sha1 }: JavaIndexFile): JavaCoordinates {
  const database = decodeSqliteFile(bytes);
  const roots = findRoots(database);
  const { artifacts, indices, indices_sha1_idx, classes, classes_digest_idx } = roots;
  return {
    state,
    file,
    ofArchive: (archive) =>
      artifactsOf(database, { artifacts, table: indices, index: indices_sha1_idx }, sha1(archive)),
    ofClasses:
      classes !== undefined && classes_digest_idx !== undefined
        ? (digest) => artifactsOf(database, { artifacts, table: classes, index: classes_digest_idx }, digest)
        : undefined,
    groupsOf: (artifact) => groupsOf(database, roots, artifact),
  };
}

/**
 * The number of archives in an index. Rows are never deleted from one, so it is the number of the last row.
 * @throws ScanError `malformed_package_db`
 */
export function archivesIn(bytes: ByteParts): number {
  const database = decodeSqliteFile(bytes);
  return Number(lastRowId(database, findRoots(database).indices));
}

const parts = ["artifacts", "indices", "artifacts_idx", "indices_sha1_idx"] as const;

/** The first pages of tables and indexes by their names. */
interface Roots extends Readonly<Record<(typeof parts)[number], number>> {
  readonly classes?: number;
  readonly classes_digest_idx?: number;
}

function findRoots(database: SqliteFile): Roots {
  const roots: Record<string, number> = {};
  for (const each of readTree(database, 1)) {
    if (each.kind === "damaged") throw malformedPackageDb(`the schema is damaged at ${each.at}: ${each.message}`);
    const [, name, , root] = each.values;
    if (typeof name === "string" && typeof root === "number") roots[name] = root;
  }
  if (parts.some((name) => roots[name] === undefined))
    throw malformedPackageDb("expected an index of Java archives, found another database");
  return roots as unknown as Roots;
}

/** The first pages of a table of digests, of its index, and of the table of artifacts. */
interface DigestTable {
  readonly table: number;
  readonly index: number;
  readonly artifacts: number;
}

function artifactsOf(
  database: SqliteFile,
  { table, index, artifacts }: DigestTable,
  digest: Uint8Array,
): readonly PublishedArtifact[] {
  const found: PublishedArtifact[] = [];
  for (const entry of seekIndex(database, index, ([value]) => compareBytes(digest, value))) {
    const [artifactId, version] = rowOf(database, table, entry);
    const [, group, artifact] = rowOf(database, artifacts, [artifactId]);
    found.push(published(group, artifact, version));
    if (found.length === maxArtifacts) break;
  }
  return found;
}

function groupsOf(database: SqliteFile, roots: Roots, wanted: string): readonly string[] {
  const groups: string[] = [];
  for (const [, group] of seekIndex(database, roots.artifacts_idx, ([artifact]) => compareTexts(wanted, artifact))) {
    if (typeof group === "string" && isId(group)) groups.push(group);
    if (groups.length === maxGroups) break;
  }
  return groups;
}

/** The row whose id is the last value of an entry. */
function rowOf(database: SqliteFile, root: number, entry: readonly SqliteValue[]): readonly SqliteValue[] {
  const id = entry.at(-1);
  if (typeof id !== "number") throw malformedPackageDb(`expected the id of a row, found ${typeof id}`);
  const row = findRow(database, root, id);
  if (row === undefined) throw malformedPackageDb(`expected a row with the id ${id}, found none`);
  return row;
}

function published(group: SqliteValue, artifact: SqliteValue, version: SqliteValue): PublishedArtifact {
  const isWhole =
    typeof group === "string" && typeof artifact === "string" && typeof version === "string" && isVersion(version);
  if (isWhole && isId(group) && isId(artifact)) return { group, artifact, version };
  throw malformedPackageDb("expected group, artifact and version of an archive, found other values");
}

/** The order of blobs in an index. Values of other types come before. */
function compareBytes(wanted: Uint8Array, value: SqliteValue): number {
  if (!(value instanceof Uint8Array)) return 1;
  const length = Math.min(wanted.length, value.length);
  for (let at = 0; at < length; at++) {
    const difference = (wanted[at] ?? 0) - (value[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return wanted.length - value.length;
}

const encoder = new TextEncoder();

/** SQLite orders texts by their bytes. Blobs come after texts, other values before. */
function compareTexts(wanted: string, value: SqliteValue): number {
  if (value instanceof Uint8Array) return -1;
  return typeof value === "string" ? compareBytes(encoder.encode(wanted), encoder.encode(value)) : 1;
}
