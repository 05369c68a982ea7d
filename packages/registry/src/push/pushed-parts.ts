import { ContentError } from "../content-error.ts";
import type { Descriptor } from "./parse-manifest.ts";
import type { PushedManifest } from "./pushed-manifest.ts";
import { type FoundParts, neededBlobs } from "./queries/parts.ts";

/**
 * Refuses a manifest whose parts the repository does not have, or has with another size.
 * @throws ContentError `part_unknown`, `manifest_invalid`
 */
export function checkParts(pushed: PushedManifest, { blobs, children }: FoundParts): void {
  checkBlobs(pushed, { blobs });
  const isThere = ({ digest }: Descriptor) => children.get(digest)?.deleted_at === null;
  const missingChildren = pushed.isSparse ? [] : pushed.manifest.children.filter((child) => !isThere(child));
  if (missingChildren.length > 0) throw unknownParts(missingChildren, "manifest");
}

/** The part of {@link checkParts} that a manifest passes also when it is pushed again: its blobs may be damaged since. */
export function checkBlobs(pushed: PushedManifest, { blobs }: Pick<FoundParts, "blobs">): void {
  const needed = neededBlobs(pushed);
  const missing = needed.filter(({ digest }) => !blobs.has(digest));
  if (missing.length > 0) throw unknownParts(missing, "blob");
  const wrong = needed.find(({ digest, size }) => blobs.get(digest) !== size);
  if (wrong !== undefined) {
    const message = `${wrong.digest} has ${blobs.get(wrong.digest)} bytes, not ${wrong.size}`;
    throw new ContentError("manifest_invalid", message);
  }
}

function unknownParts(missing: readonly Descriptor[], what: "blob" | "manifest"): ContentError {
  const detail = missing.slice(0, 100).map(({ digest }) => ({ digest }));
  const message = `the repository does not have ${missing.length} ${what}${missing.length === 1 ? "" : "s"} of the manifest`;
  return new ContentError("part_unknown", message, { detail });
}
