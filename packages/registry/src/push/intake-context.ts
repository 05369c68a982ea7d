import type { BlobStore } from "../ports/blob-store.ts";
import type { Ports } from "../ports.ts";
import type { RegistrySettings } from "../settings.ts";
import type { RegistryStore } from "../store/tables/all.ts";

/** The context of copying images. */
export interface IntakeContext {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly settings: RegistrySettings;
  readonly ports: Pick<Ports, "clock">;
}
