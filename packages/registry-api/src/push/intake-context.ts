import type { Ports } from "@plimsoll/registry/ports";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryStore } from "@plimsoll/registry/store/tables/all";

/** The context of copying images. */
export interface IntakeContext {
  readonly store: RegistryStore;
  readonly blobs: BlobStore;
  readonly settings: RegistrySettings;
  readonly ports: Pick<Ports, "clock">;
}
