import type { Digest } from "@plimsoll/core";
import type { BlobStore } from "../ports.ts";

/** A configuration that is larger is not looked into. */
const maxConfigBytes = 4 * 1024 * 1024;

/**
 * The configuration of an image, as JSON that anybody can have pushed. Undefined where it is missing, too large or no JSON: whether
 * it may be pushed is decided elsewhere.
 */
export async function readImageConfig(blobs: BlobStore, digest: Digest): Promise<unknown> {
  const sizeBytes = await blobs.find(digest);
  if (sizeBytes === undefined || sizeBytes > maxConfigBytes) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(digest)) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
