import type { Deps } from "../../deps.ts";
import type { ImageIntake } from "../../push/intake-port.ts";

/** What the runs of mirrors need. */
export interface SyncContext extends Pick<Deps, "store" | "settings" | "clock" | "secrets" | "outgoing" | "upstreams"> {
  readonly intake: ImageIntake;
}
