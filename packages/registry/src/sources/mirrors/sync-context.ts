import type { Sealer } from "../../crypto/secrets.ts";
import type { Upstreams } from "../../ports/upstreams.ts";
import type { Clock, OutgoingGuard } from "../../ports.ts";
import type { ImageIntake } from "../../push/intake-port.ts";
import type { RegistrySettings } from "../../settings.ts";
import type { RegistryStore } from "../../store/tables/all.ts";

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
