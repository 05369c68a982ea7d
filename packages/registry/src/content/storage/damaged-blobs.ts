import { createHash, type Hash } from "node:crypto";
import { type Digest, digestAlgorithm, digestHex } from "@plimsoll/core/digest";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { entriesUpTo } from "../../limits/entries-up-to.ts";
import type { BlobStore, ReadOptions } from "../../ports/blob-store.ts";
import type { RegistryStore } from "../../store/tables/all.ts";
import type { BlobFault } from "../../store/tables/content.ts";
import { lockDigest } from "../queries/blobs.ts";
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
  /** Called when a fault ends. */
  readonly onHealed?: ((blob: StoredBlob) => void) | undefined;
}

/**
 * Records the result of an inspection: from a fault on, no repository has the blob, so that clients send it again, and mirrors fetch it anew.
 * That ends the fault, and so does an inspection that finds the blob whole.
 */
export async function noteFault(
  { store, now, onDamaged, onHealed }: Omit<DamageParts, "blobs">,
  blob: StoredBlob,
  found: FoundFault | undefined,
): Promise<void> {
  const isNews = await store.transaction(async (db) => {
    await lockDigest(store, db, blob.digest);
    const isChanged = await setFault(db, { digest: blob.digest, fault: found?.fault ?? null, now: now() });
    if (isChanged && found !== undefined) await syncMirrorsOf(db, blob.digest);
    return isChanged;
  });
  if (!isNews) return;
  if (found === undefined) onHealed?.(blob);
  else onDamaged?.({ ...blob, ...found });
}

/** How often {@link DamageWatch.glance} inspects one blob at most: milliseconds. */
const glanceMs = 3_600_000;

/** How often the bytes of one blob are compared with its digest at most while they are read: milliseconds. */
const compareMs = 86_400_000;

/** How many blobs are read at the same time to compare them with their digests. */
const readAtOnce = 2;

/** A look at a blob. */
interface Look {
  readonly at: number;
  /** The version of the content, see {@link ReadOptions}. */
  readonly version?: string | undefined;
}

/** Which blobs were looked at lately. */
class Recent {
  readonly #looks = new LRUCache<Digest, Look>(entriesUpTo(10_000));
  readonly #everyMs: number;

  /** @param everyMs how long a look at a blob counts */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  find(digest: Digest, now: number): Look | undefined {
    const look = this.#looks.get(digest);
    return look !== undefined && now < look.at + this.#everyMs ? look : undefined;
  }

  add(digest: Digest, look: Look): void {
    this.#looks.set(digest, look);
  }
}

/** A comparison of the bytes of a blob with its digest. */
export interface Comparison {
  readonly hash: Hash;
  readonly version: string | undefined;
}

/** Inspects blobs that a reader could not read whole, and records their faults. A blob is inspected once at a time. */
export class DamageWatch {
  readonly #parts: DamageParts;
  readonly #running = new Map<string, Promise<FoundFault | undefined>>();
  readonly #turns = pLimit(readAtOnce);
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
    if (this.#glances.find(digest, now) !== undefined) return;
    this.#glances.add(digest, { at: now });
    this.suspect(digest, { quick: true });
  }

  /** Begins to compare a blob that is read from its first byte with its digest: once a day, and when its content was written again. */
  beginComparison(digest: Digest, version: string | undefined): Comparison | undefined {
    const last = this.#compared.find(digest, this.#parts.now());
    if (last !== undefined && last.version === version) return undefined;
    return { hash: createHash(digestAlgorithm(digest)), version };
  }

  /**
   * Ends a comparison of as many bytes, which may be only the first ones of the blob. Has the blob inspected if they are all, and wrong.
   * @returns whether they are all
   */
  async endComparison(digest: Digest, { hash, version }: Comparison, bytes: number): Promise<boolean> {
    const isRight = hash.digest("hex") === digestHex(digest);
    if (!isRight && (await this.#parts.blobs.find(digest)) !== bytes) return false;
    this.#compared.add(digest, { at: this.#parts.now(), version });
    if (!isRight) this.suspect(digest, { quick: false });
    return true;
  }

  /** Has a blob inspected of which a part was read, if its content was written again since it was compared last. */
  notePart(digest: Digest, version: string | undefined): void {
    const last = this.#compared.find(digest, this.#parts.now());
    if (last === undefined || last.version === version) return;
    const inspected = this.inspect(digest, { quick: false });
    inspected.then(() => this.#compared.add(digest, { at: this.#parts.now(), version })).catch(() => {}); // left to the next reader
  }

  /** Ends the fault of a blob, if it has one, when its content has been stored again. @returns the size in bytes */
  async afterCommit(digest: Digest, commit: () => Promise<number>): Promise<number> {
    const finding = findStoredBlob(this.#parts.store.db, digest);
    finding.catch(() => {}); // it is awaited below
    const sizeBytes = await commit();
    const row = await finding;
    if (row !== undefined && row.fault !== null) await noteFault(this.#parts, { digest, sizeBytes }, undefined);
    return sizeBytes;
  }

  /** Inspects a blob, or waits for the inspection that is running. @returns undefined if it is whole, or there is no such blob */
  inspect(digest: Digest, how: Pick<Inspection, "quick">): Promise<FoundFault | undefined> {
    const key = `${how.quick ? "size" : "bytes"} ${digest}`;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = how.quick ? this.#inspect(digest, how) : this.#turns(() => this.#inspect(digest, how));
    const inspection = begun.finally(() => this.#running.delete(key));
    this.#running.set(key, inspection);
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
