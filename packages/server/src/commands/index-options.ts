import { hostPlatform, type IndexOptions, type Platform } from "@plimsoll/scanner";
import type { Session } from "../cli/session.ts";

/** How the session's user wants images indexed: the platform asked for, else that of this machine where there is a choice. */
export function indexOptions(session: Session, platform: Platform | "all" | undefined): IndexOptions {
  const { progress, io } = session;
  return {
    onEvent: (event) => progress.onIndexEvent(event),
    ...(platform === undefined ? { preferredPlatform: hostPlatform() } : { platform }),
    ...(io.signal === undefined ? {} : { signal: io.signal }),
  };
}
