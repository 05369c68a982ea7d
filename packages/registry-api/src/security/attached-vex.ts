import { type Problem, parseDigest, parseVex, ScanError, type VexStatement } from "@plimsoll/core";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { type BlobStore, BlobStoreError } from "../ports.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { listAttached, listIndexesOf } from "./queries/attached.ts";
import { attachedVexCode, predicateOf, type VexDocument, vexDocuments } from "./vex-artifacts.ts";

/** Where attached documents are looked for. */
export interface AttachedContext {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What limits the work of a reader of a report, who did not attach anything. */
const [mostIndexes, mostArtifacts, mostBytes] = [20, 50, 4 * 1024 * 1024];

/** What is stated by the VEX documents that are attached to an image. */
export interface Attached {
  readonly statements: readonly VexStatement[];
  readonly problems: readonly Problem[];
  /** The image's, and those of the indexes that list it. */
  readonly digests: readonly string[];
}

/**
 * Reads the VEX documents that are attached to an image, or to an index that lists it: as referrers, or as attestations under the tag of cosign.
 * Every user who may push to the repository can attach them. A document that cannot be read is a problem, and states nothing.
 */
export async function readAttached(manifest: ImageManifestRow, { db, blobs, now }: AttachedContext): Promise<Attached> {
  const digests = [manifest.digest, ...(await listIndexesOf(db, manifest.id, mostIndexes))];
  const { repository_id: repositoryId } = manifest;
  const tags = digests.map((digest) => `${digest.replace(":", "-")}.att`);
  const artifacts = await listAttached(db, { repositoryId, subjects: digests, tags, now, limit: mostArtifacts + 1 });
  const documents = artifacts.flatMap(({ content }) => vexDocuments(content));
  const statements: VexStatement[] = [];
  const problems: Problem[] =
    artifacts.length > mostArtifacts ? [unreadable(manifest.digest, "more than 50 artifacts are attached")] : [];
  let left = mostBytes;
  for (const document of documents) {
    left -= document.sizeBytes;
    if (left < 0) {
      problems.push(unreadable(document.digest, "the attached documents are larger than 4 MiB"));
      break;
    }
    try {
      statements.push(...(await readDocument(blobs, document)));
    } catch (error) {
      problems.push(unreadable(document.digest, reasonOf(error)));
    }
  }
  return { statements, problems, digests };
}

async function readDocument(blobs: BlobStore, { digest, isAttested }: VexDocument): Promise<readonly VexStatement[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(parseDigest(digest))) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const stated = isAttested ? predicateOf(bytes) : bytes;
  return stated === undefined ? [] : parseVex(stated, digest);
}

function unreadable(at: string, message: string): Problem {
  return { at, code: attachedVexCode, message: `attached VEX document: ${message}` };
}

/** @throws what is no matter of a document */
function reasonOf(error: unknown): string {
  if (error instanceof ScanError || error instanceof SyntaxError) return error.message;
  if (error instanceof BlobStoreError && error.code === "not_found") return "it is missing";
  throw error;
}
