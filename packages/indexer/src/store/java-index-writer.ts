import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import type { PublishedArtifact } from "@plimsoll/core/internal";

/** The digests of an archive. */
export interface ArchiveDigests {
  readonly sha1: Uint8Array;
  /** Of its folders of classes. */
  readonly classes: readonly Uint8Array[];
}

/** Writes an index of published Java archives. */
export interface JavaIndexWriter extends Disposable {
  /** Adds an archive. Adding the same one again changes nothing. */
  add(artifact: PublishedArtifact, digests: ArchiveDigests): void;
  /** Completes the file. */
  finish(): void;
}

/**
 * The form of the public index, and a table of its own for folders of classes. In the public index, one of several artifacts with the same
 * bytes is listed; here all are.
 * @see https://github.com/aquasecurity/trivy-java-db
 */
const schema = `
CREATE TABLE artifacts(id INTEGER PRIMARY KEY, group_id TEXT, artifact_id TEXT);
CREATE TABLE indices(artifact_id INTEGER, version TEXT, sha1 BLOB, archive_type TEXT, foreign key (artifact_id) references artifacts(id));
CREATE UNIQUE INDEX artifacts_idx ON artifacts(artifact_id, group_id);
CREATE INDEX indices_artifact_idx ON indices(artifact_id);
CREATE UNIQUE INDEX indices_unique_idx ON indices(sha1, artifact_id, version);
CREATE INDEX indices_sha1_idx ON indices(sha1);
CREATE TABLE classes(artifact_id INTEGER, version TEXT, digest BLOB);
CREATE UNIQUE INDEX classes_unique_idx ON classes(digest, artifact_id, version);
CREATE INDEX classes_digest_idx ON classes(digest);
`;

/** Creates an index in a new file. Disposing of it closes the file. */
export function createJavaIndex(path: string): JavaIndexWriter {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${schema} BEGIN`);
  const putArtifact = database.prepare("INSERT OR IGNORE INTO artifacts(group_id, artifact_id) VALUES (?, ?)");
  const putArchive = database.prepare(
    "INSERT OR IGNORE INTO indices SELECT id, ?, ?, 'jar' FROM artifacts WHERE group_id = ? AND artifact_id = ?",
  );
  const putClasses = database.prepare(
    "INSERT OR IGNORE INTO classes SELECT id, ?, ? FROM artifacts WHERE group_id = ? AND artifact_id = ?",
  );
  const content = createHash("sha256");
  return {
    add({ group, artifact, version }, { sha1, classes }) {
      putArtifact.run(group, artifact);
      putArchive.run(version, sha1, group, artifact);
      for (const digest of classes) putClasses.run(version, digest, group, artifact);
      content.update(`${group}:${artifact}:${version}\n`).update(sha1);
    },
    finish() {
      // part of the first page, so that indexes of other contents differ there
      const mark = content.digest().readUInt32BE() >>> 1;
      database.exec(
        `COMMIT; DROP INDEX indices_unique_idx; DROP INDEX classes_unique_idx; PRAGMA user_version = ${mark}; VACUUM`,
      );
    },
    [Symbol.dispose]: () => database.close(),
  };
}
