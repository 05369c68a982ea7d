/**
 * The index of an rpm repository, `repodata/repomd.xml`: the part about updates.
 *
 *     repomd = data*
 *     data   = checksum open-checksum? location      type "updateinfo"; open-checksum is that of the decompressed document
 *
 * @see https://github.com/rpm-software-management/createrepo_c
 */
import { pureHasher } from "../../bytes/pure-hasher.ts";
import { type Digest, digestAlgorithm, digestHex, isDigest, parseDigest } from "../../model/digest.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { childrenNamed, findChild, type XmlElement, xmlElements } from "../shared/xml-elements.ts";

/** The document of a repository's updates, and its expected digests. */
export interface RepositoryUpdates {
  readonly part: FeedPart;
  /** Digests of the document as stored and of its content, since a server may have decompressed it. Unsupported algorithms are left out. */
  readonly digests: readonly Digest[];
}

/**
 * Finds the updates of the repository in a folder of the feed. Undefined where there is no repository, or one without updates.
 * @throws ScanError `malformed_feed` where the index is malformed
 */
export async function findRepositoryUpdates(parts: FeedParts, folder: string): Promise<RepositoryUpdates | undefined> {
  const index = await parts.find(`${folder}/repodata/repomd.xml`);
  if (index?.feed.kind !== "document") return undefined;
  const { stream, location } = index.feed;
  const selection = { root: "repomd", depth: 1, wants: (name: string) => name === "data" };
  for await (const data of xmlElements(stream(), location, selection)) {
    const href = findChild(data, "location")?.attributes.href;
    if (data.attributes.type !== "updateinfo" || href === undefined) continue;
    return { part: await parts.get(`${folder}/${href}`), digests: digestsOf(data) };
  }
  return undefined;
}

function digestsOf(data: XmlElement): readonly Digest[] {
  const checksums = [...childrenNamed(data, "checksum"), ...childrenNamed(data, "open-checksum")];
  return checksums.map(({ attributes, text }) => `${attributes.type}:${text}`).flatMap(digestOf);
}

function digestOf(text: string): readonly Digest[] {
  return isDigest(text) ? [parseDigest(text)] : [];
}

/** Checks that a document has one of the digests. @throws ScanError `malformed_feed` where it has none of them */
export async function checkDigests(file: FeedFile, digests: readonly Digest[]): Promise<void> {
  if (digests.length === 0) return;
  for (const digest of digests) {
    const hasher = pureHasher(digestAlgorithm(digest));
    for await (const chunk of file.stored()) hasher.update(chunk);
    if (hasher.hex() === digestHex(digest)) return;
  }
  throw malformedFeed(
    file.location,
    `expected a content with the digest ${digests.join(" or ")}, found another content`,
  );
}
