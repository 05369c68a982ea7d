import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type ArtifactFile, findArtifact, pushArtifact, type RegistryOptions } from "@plimsoll/indexer";
import {
  exportToFile,
  type FeedStatus,
  type ImportOptions,
  type ImportResult,
  importDatabase,
  listFeeds,
  type MatcherStore,
} from "@plimsoll/matcher";

/** The artifact type of an advisory database in a registry. */
export const databaseArtifactType = "application/vnd.plimsoll.advisories.v1";

const snapshotType = "application/vnd.plimsoll.advisories.snapshot.v1+zstd";
const stateAnnotation = "dev.plimsoll.advisories.state";

/** Options of requests to a registry, and the signal that aborts them. */
export type RegistryUse = RegistryOptions & { readonly signal?: AbortSignal };

/**
 * Pushes all advisories of a database to a registry. The same data always has the same digest.
 * @throws ScanError as `pushArtifact`
 */
export async function pushDatabase(store: MatcherStore, reference: string, using: RegistryUse): Promise<Digest> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-push-"));
  try {
    const path = join(folder, "advisories.zst");
    await exportToFile(store, path, using.signal);
    const feeds = await listFeeds(store);
    const changedAt = Math.max(0, ...feeds.map((feed) => feed.changedAt));
    const annotations = {
      "org.opencontainers.image.created": new Date(changedAt).toISOString(),
      "org.opencontainers.image.title": "advisories.zst",
      [stateAnnotation]: stateOf(feeds),
    };
    const file = await describeFile(path);
    return await pushArtifact(reference, { artifactType: databaseArtifactType, file, annotations }, using);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The result of pulling a database from a registry. */
export interface PulledDatabase {
  /** The digest of the artifact. */
  readonly digest: Digest;
  /** Empty if the database was already in this state. */
  readonly results: readonly ImportResult[];
}

/**
 * Imports the advisories of an artifact: all or none. Fetches only the manifest if the database is already in that state.
 * @throws ScanError as `findArtifact` and `importDatabase`
 */
export async function pullDatabase(
  options: Omit<ImportOptions, "source">,
  reference: string,
  using: RegistryUse,
): Promise<PulledDatabase> {
  await using artifact = await findArtifact(reference, databaseArtifactType, using);
  const { digest, annotations } = artifact;
  if (annotations[stateAnnotation] === stateOf(await listFeeds(options.store))) return { digest, results: [] };
  return { digest, results: await importDatabase({ ...options, source: artifact.open() }) };
}

/** A digest of the state of a database: the state of each feed, the time of its last change and of its last check. */
function stateOf(feeds: readonly FeedStatus[]): string {
  const lines = feeds.map(({ name, fingerprint, changedAt, checkedAt, rows }) =>
    JSON.stringify([name, fingerprint, changedAt, checkedAt, rows]),
  );
  return `sha256:${createHash("sha256").update(lines.sort().join("\n")).digest("hex")}`;
}

async function describeFile(path: string): Promise<ArtifactFile> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  const digest = parseDigest(`sha256:${hash.digest("hex")}`);
  return { mediaType: snapshotType, digest, sizeBytes: (await stat(path)).size, open: () => createReadStream(path) };
}
