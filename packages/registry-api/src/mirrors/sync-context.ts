import type { Sealer } from "@plimsoll/registry/crypto/secrets";
import type { Clock, OutgoingGuard } from "@plimsoll/registry/ports";
import type { Upstreams } from "@plimsoll/registry/ports/upstreams";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import type { RegistryStore } from "@plimsoll/registry/store/tables/all";
import type { ImageIntake } from "./image-intake.ts";

/** What the runs of mirrors need. */
export interface SyncContext {
  readonly store: RegistryStore;
  readonly settings: RegistrySettings;
  readonly clock: Clock;
  readonly secrets: Sealer;
  readonly outgoing: OutgoingGuard;
  readonly upstreams: Upstreams;
  readonly intake: ImageIntake;
}
