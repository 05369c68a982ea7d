import type { KeyObject } from "node:crypto";
import type { Bytes } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { findRepositoryMemberships, type ImageRepository } from "../../access/queries.ts";
import { repositoryRole } from "../../access/roles.ts";
import { contentOf, findStoredManifest, findTaggedManifest } from "../../content/queries/manifest-content.ts";
import { type AttacherRow, listAttachedManifests, listAttachers } from "../../content/queries/referrers.ts";
import { findSigner, type SignatureSource } from "../../content/signatures/find-signer.ts";
import { signerOfAttestation } from "../../content/signatures/image-signatures.ts";
import { parseSigningKey } from "../../content/signatures/signing-keys.ts";
import { type BlobStore, isLostBlob } from "../../ports/blob-store.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { SecurityDeps } from "../image-security.ts";
import type { ImageStatements, StatedDocument } from "../stated-scan.ts";
import { type GateOwner, gateOwners, parseGate } from "./gate.ts";

/** Whether the statements of a document count for a gate. */
export type Standing =
  | { readonly counts: true; readonly by: string }
  /** Why they do not. */
  | { readonly counts: false; readonly reason: string };

/** The standing of a document for each gate of its repository. */
export type Standings = Readonly<Record<GateOwner, Standing>>;

/** The documents of an image, and where they are. */
export interface JudgedDocuments extends Pick<ImageStatements, "documents" | "digests"> {
  readonly repository: ImageRepository;
}

/** The most referrers of a manifest in which its signature is searched, and the most blobs that are read for all manifests together. */
const [mostReferrers, mostBlobs] = [50, 50] as const;

/**
 * Decides which documents count for the gates of an image. Everyone who may push can attach documents, so a document counts only if a key
 * of the gate has signed it, or if an account has attached it that may change the gate now. Keys and admins of the organization count for
 * the gate of the repository, too.
 */
export async function judgeDocuments(
  deps: SecurityDeps,
  judged: JudgedDocuments,
  signal: AbortSignal,
): Promise<ReadonlyMap<StatedDocument, Standings>> {
  const { repository, documents } = judged;
  const standings = new Map<StatedDocument, Standings>();
  if (documents.length === 0) return standings;
  const attachers = await findAttachers(deps, judged);
  const signerOf = findSigners(deps, judged, signal);
  for (const document of documents) {
    const key = await signerOf(document);
    const accounts = attachers(document);
    const standing = (owner: GateOwner) => standingFor(owner, { repository, key, accounts });
    standings.set(document, { organization: standing("organization"), repository: standing("repository") });
  }
  return standings;
}

/** A key of a gate. */
interface NamedKey {
  readonly owner: GateOwner;
  readonly name: string;
  readonly key: KeyObject;
}

/** An account that has attached a document. */
interface AttachingAccount {
  readonly username: string;
  /** The gates that it may change. */
  readonly changes: Readonly<Record<GateOwner, boolean>>;
}

interface Credentials {
  readonly repository: ImageRepository;
  readonly key: NamedKey | undefined;
  readonly accounts: readonly AttachingAccount[];
}

/** How many accounts a reason names. */
const mostNamed = 3;

function standingFor(owner: GateOwner, { repository, key, accounts }: Credentials): Standing {
  const { namespace, namespaceKind } = repository;
  if (owner === "organization" && namespaceKind !== "organization")
    return { counts: false, reason: `${namespace} is a user, and only organizations have a gate for all their images` };
  if (key !== undefined && (key.owner === "organization" || owner === "repository"))
    return { counts: true, by: `the key ${key.name} of the ${key.owner}` };
  const admin = accounts.find(({ changes }) => changes[owner]);
  if (admin !== undefined) return { counts: true, by: admin.username };
  const [first, ...others] = accounts.map(({ username }) => username);
  const place = owner === "organization" ? `organization ${namespace}` : "repository";
  if (first === undefined) return { counts: false, reason: "no account is known to have attached it" };
  const named = [first, ...others.slice(0, mostNamed - 1)].join(", ");
  return { counts: false, reason: `attached by ${named}, not by an admin of the ${place}` };
}

/** The most accounts that are looked up for the documents of an image. */
const mostAttachers = 50;

/** A function that returns the enabled accounts which have attached a document, with their current rights. */
async function findAttachers(
  { db }: SecurityDeps,
  { repository, documents }: JudgedDocuments,
): Promise<(document: StatedDocument) => readonly AttachingAccount[]> {
  const artifacts = [...new Set(documents.map(({ artifact }) => artifact.id))];
  const rows = await listAttachers(db, artifacts, mostAttachers);
  const accounts = new Map<string, AttachingAccount>();
  for (const { account_id, username } of rows) {
    if (accounts.has(account_id)) continue;
    const place = { id: repository.id, namespaceId: repository.namespace_id };
    const memberships = await findRepositoryMemberships(db, place, account_id);
    const isOfOrganization = repository.namespaceKind === "organization" && memberships.teamRoles.includes("admin");
    const isOfRepository = repositoryRole(memberships, undefined) === "admin";
    accounts.set(account_id, { username, changes: { organization: isOfOrganization, repository: isOfRepository } });
  }
  return ({ artifact }) => {
    const isOfArtifact = ({ manifest_id, tag_id }: AttacherRow) =>
      manifest_id === artifact.id && (tag_id === "" ? artifact.isBySubject : artifact.tagIds.includes(tag_id));
    const ids = new Set(rows.filter(isOfArtifact).map(({ account_id }) => account_id));
    return [...ids].flatMap((id) => accounts.get(id) ?? []);
  };
}

/** A function that returns the key of the gates which has signed a document or its artifact, for the image. */
function findSigners({ db, blobs, now }: SecurityDeps, judged: JudgedDocuments, signal: AbortSignal) {
  const { repository, digests } = judged;
  const named = keysOf(repository);
  const keys = named.map(({ key }) => key);
  const source = storedSignatures({ db, blobs, repositoryId: repository.id, now });
  return async ({ artifact, attestation }: StatedDocument): Promise<NamedKey | undefined> => {
    if (keys.length === 0 || source === undefined) return undefined;
    const attested = attestation && (await signerOfAttestation(attestation, digests, keys));
    // a signature of an artifact says nothing about an image that the artifact does not name
    const isSearched = attested === undefined && artifact.isBySubject;
    const digest = parseDigest(artifact.digest);
    const signer = isSearched ? await findSigner({ source, digest, keys, signal }) : attested;
    return named.find(({ key }) => key === signer);
  };
}

/** The keys of both gates, those of the organization first: they count for both. */
function keysOf({ namespaceGate, repositoryGate }: ImageRepository): readonly NamedKey[] {
  const gates = { organization: namespaceGate, repository: repositoryGate };
  return gateOwners.flatMap((owner) => {
    const json = gates[owner];
    if (!json) return [];
    return parseGate(json).keys.map(({ name, public_key }) => ({ owner, name, key: parseSigningKey(public_key) }));
  });
}

/** A repository of this registry. */
interface StoredSignatures {
  readonly db: RegistryDb;
  readonly blobs: BlobStore;
  readonly repositoryId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The signatures in a repository of this registry. After {@link mostBlobs} blobs every further one is empty: everyone who may push can add
 * signatures, and the work for them is bounded.
 */
function storedSignatures({ db, blobs, repositoryId, now }: StoredSignatures): SignatureSource {
  let left = mostBlobs;
  return {
    async findDigest(tag) {
      const tagged = await findTaggedManifest(db, { repositoryId, name: tag, now });
      return tagged && parseDigest(tagged.digest);
    },
    async fetchManifest(digest) {
      const stored = await findStoredManifest(db, { repositoryId, digest });
      return { bytes: Buffer.from(stored === undefined ? "" : await contentOf(db, stored)) };
    },
    async *openBlob({ digest, sizeBytes }) {
      left -= 1;
      if (left >= 0) yield* readUpTo(blobs, digest, sizeBytes);
    },
    async listReferrers(subject): Promise<readonly Digest[]> {
      const range = { after: [""] as const, limit: mostReferrers };
      const rows = await listAttachedManifests(db, { repositoryId, subject, now }, range);
      return rows.map(({ digest }) => parseDigest(digest));
    },
  };
}

/** The bytes of a blob up to a size, which its manifest states; none if it is missing. */
async function* readUpTo(blobs: BlobStore, digest: Digest, sizeBytes: number): Bytes {
  let seen = 0;
  try {
    for await (const chunk of blobs.read(digest)) {
      seen += chunk.length;
      if (seen > sizeBytes) return;
      yield chunk;
    }
  } catch (error) {
    if (!isLostBlob(error)) throw error;
  }
}
