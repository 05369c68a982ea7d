import type { Sealer } from "@plimsoll/registry/crypto/secrets";
import type { Clock, OutgoingGuard } from "@plimsoll/registry/ports";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import type { Upstreams } from "@plimsoll/registry/ports/upstreams";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryStore } from "@plimsoll/registry/store/tables/all";

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
