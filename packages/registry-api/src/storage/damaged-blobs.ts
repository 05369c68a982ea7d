import { createHash, type Hash } from "node:crypto";
import { type Digest, digestAlgorithm, digestHex } from "@plimsoll/core";
import { LRUCache } from "lru-cache";
import { lockDigest } from "../content/queries/blobs.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { RegistryStore } from "../store/tables/all.ts";
import type { BlobFault } from "../store/tables/content.ts";
import { type FoundFault, type Inspection, inspectBlob } from "./inspect-blob.ts";
import type { StoredBlob } from "./linked-blobs.ts";
import { findStoredBlob, setFault, syncMirrorsOf } from "./queries.ts";

/** A blob whose content turned out to be damaged. */
export interface DamagedBlob extends StoredBlob {
  readonly fault: BlobFault;
  /** A sentence about it without the blob: `it is missing`. */
  readonly problem: string;
}

/** What {@link noteFault} and {@link DamageWatch} need. */
export interface DamageParts {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly now: () => number;
  /** Called when a fault is recorded that was not known. */
  readonly onDamaged?: ((blob: DamagedBlob) => void) | undefined;
}

/**
 * Records the result of an inspection: from a fault on, no repository has the blob, so that clients send it again, and mirrors fetch it anew.
 * That ends the fault, and so does an inspection that finds the blob whole.
 */
export async function noteFault(
  { store, now, onDamaged }: Omit<DamageParts, "blobs">,
  blob: StoredBlob,
  found: FoundFault | undefined,
): Promise<void> {
  const isNew = await store.transaction(async (db) => {
    await lockDigest(store, db, blob.digest);
    const isChanged = await setFault(db, { digest: blob.digest, fault: found?.fault ?? null, now: now() });
    if (isChanged && found !== undefined) await syncMirrorsOf(db, blob.digest);
    return isChanged;
  });
  if (isNew && found !== undefined) onDamaged?.({ ...blob, ...found });
}

/** How often {@link DamageWatch.glance} inspects one blob at most: milliseconds. */
const glanceMs = 3_600_000;

/** How often the bytes of one blob are compared with its digest at most while they are read: milliseconds. */
const compareMs = 86_400_000;

/** Which blobs were looked at lately. */
class Recent {
  readonly #lookedAt = new LRUCache<Digest, number>({ max: 10_000 });
  readonly #everyMs: number;

  /** @param everyMs how long a look at a blob counts */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  has(digest: Digest, now: number): boolean {
    return now < (this.#lookedAt.get(digest) ?? Number.NEGATIVE_INFINITY) + this.#everyMs;
  }

  add(digest: Digest, now: number): void {
    this.#lookedAt.set(digest, now);
  }
}

/** Inspects blobs that a reader could not read whole, and records their faults. A blob is inspected once at a time. */
export class DamageWatch {
  readonly #parts: DamageParts;
  readonly #running = new Map<Digest, Promise<FoundFault | undefined>>();
  readonly #glances = new Recent(glanceMs);
  readonly #compared = new Recent(compareMs);

  constructor(parts: DamageParts) {
    this.#parts = parts;
  }

  /** Has a blob inspected. A failure of the inspection is left to the next reader. */
  suspect(digest: Digest, how: Pick<Inspection, "quick">): void {
    this.inspect(digest, how).catch(() => {});
  }

  /** Has a blob inspected at most once an hour. */
  glance(digest: Digest): void {
    const now = this.#parts.now();
    if (this.#glances.has(digest, now)) return;
    this.#glances.add(digest, now);
    this.suspect(digest, { quick: true });
  }

  /** Begins to compare a blob that is read from its first byte with its digest, at most once a day. */
  beginComparison(digest: Digest): Hash | undefined {
    return this.#compared.has(digest, this.#parts.now()) ? undefined : createHash(digestAlgorithm(digest));
  }

  /** Ends a comparison of as many bytes, which may be only the first ones of the blob. Has the blob inspected if they are all, and wrong. */
  async endComparison(digest: Digest, hash: Hash, bytes: number): Promise<void> {
    const isRight = hash.digest("hex") === digestHex(digest);
    if (!isRight && (await this.#parts.blobs.find(digest)) !== bytes) return;
    this.#compared.add(digest, this.#parts.now());
    if (!isRight) this.suspect(digest, { quick: false });
  }

  /** Inspects a blob, or waits for the inspection that is running. @returns undefined if it is whole, or there is no such blob */
  inspect(digest: Digest, how: Pick<Inspection, "quick">): Promise<FoundFault | undefined> {
    const running = this.#running.get(digest);
    if (running !== undefined) return running;
    const inspection = this.#inspect(digest, how).finally(() => this.#running.delete(digest));
    this.#running.set(digest, inspection);
    return inspection;
  }

  async #inspect(digest: Digest, how: Pick<Inspection, "quick">): Promise<FoundFault | undefined> {
    const { store, blobs } = this.#parts;
    const row = await findStoredBlob(store.db, digest);
    if (row === undefined) return undefined; // collected meanwhile
    const blob = { digest, sizeBytes: row.size_bytes };
    const found = await inspectBlob(blobs, blob, how);
    if (found !== undefined) await noteFault(this.#parts, blob, found);
    return found;
  }
}
