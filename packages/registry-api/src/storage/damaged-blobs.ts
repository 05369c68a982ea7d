import type { Digest } from "@plimsoll/core";
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

/** How many glances are remembered. */
const mostGlances = 10_000;

/** Inspects blobs that a reader could not read whole, and records their faults. A blob is inspected once at a time. */
export class DamageWatch {
  readonly #parts: DamageParts;
  readonly #running = new Map<Digest, Promise<FoundFault | undefined>>();
  /** The time of the last glance at a blob. */
  readonly #glances = new Map<Digest, number>();

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
    if ((this.#glances.get(digest) ?? 0) > now - glanceMs) return;
    if (this.#glances.size >= mostGlances) this.#glances.clear();
    this.#glances.set(digest, now);
    this.suspect(digest, { quick: true });
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
