import type { Sealer } from "../../crypto/secrets.ts";
import type { BlobStore } from "../../ports/blob-store.ts";
import type { Upstreams } from "../../ports/upstreams.ts";
import type { Clock, OutgoingGuard } from "../../ports.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryStore } from "../../store/tables/all.ts";

/** The context of pulls through caches. */
export interface ProxyContext {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly settings: RegistrySettings;
  readonly clock: Clock;
  readonly secrets: Sealer;
  readonly outgoing: OutgoingGuard;
  readonly upstreams: Upstreams;
  /** Resolves after that time; rejects when the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<unknown>;
}
