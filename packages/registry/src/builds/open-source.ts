import { parseDigest } from "@plimsoll/core/digest";
import type { Deps } from "../deps.ts";
import { type BlobStore, isLostBlob } from "../ports/blob-store.ts";
import { BuildError } from "../ports/building.ts";
import type { BuildSource } from "./build-source.ts";
import { fetchArchive } from "./fetch-archive.ts";

/** The context of reading sources. */
export type SourceContext = Pick<Deps, "outgoing" | "gitArchives" | "blobs">;

/**
 * Opens the source of a build as an archive stream.
 * @throws RegistryError for a forbidden host
 * @throws BuildError for a source that a retry cannot read either
 */
export async function openSource(
  { outgoing, gitArchives, blobs }: SourceContext,
  source: BuildSource,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (source.kind === "archive") return fetchArchive(outgoing, source.url, signal);
  if (source.kind === "upload") return readUpload(blobs, source.digest);
  if (gitArchives === undefined) throw new BuildError("This node cannot read git repositories: git is not installed");
  await outgoing.check(new URL(source.url).hostname);
  return gitArchives.open(source, { signal });
}

async function* readUpload(blobs: BlobStore, digest: string): AsyncGenerator<Uint8Array> {
  try {
    yield* blobs.read(parseDigest(digest));
  } catch (cause) {
    if (!isLostBlob(cause)) throw cause;
    throw new BuildError("The uploaded archive has been deleted: push it again", { cause });
  }
}
