import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Digest, parseDigest } from "@plimsoll/core";
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

/** What a registry says that an advisory database is. */
export const databaseArtifactType = "application/vnd.plimsoll.advisories.v1";

const snapshotType = "application/vnd.plimsoll.advisories.snapshot.v1+zstd";
const stateAnnotation = "dev.plimsoll.advisories.state";

/** How a registry is reached, and until when. */
export type RegistryUse = RegistryOptions & { readonly signal?: AbortSignal };

/**
 * Pushes all advisories of a database to a registry. The same data always have the same digest.
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

/** What became of taking a database in from a registry. */
export interface PulledDatabase {
  /** Of the artifact. */
  readonly digest: Digest;
  /** Empty where the database had all of it already. */
  readonly results: readonly ImportResult[];
}

/**
 * Takes the advisories of an artifact in: all of it, or nothing. Nothing is fetched but the manifest where the database has it all.
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

/** What tells states of a database apart: which state of each feed it has, since when, and when that was checked. */
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
