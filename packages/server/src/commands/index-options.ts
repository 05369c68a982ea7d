import { hostPlatform, type IndexOptions, type Platform } from "@plimsoll/scanner";
import type { Session } from "../cli/session.ts";

/** Options for indexing in a session: the chosen platform; otherwise that of this machine is preferred. */
export function indexOptions(session: Session, platform: Platform | "all" | undefined): IndexOptions {
  const { progress, io } = session;
  return {
    onEvent: (event) => progress.onIndexEvent(event),
    ...(platform === undefined ? { preferredPlatform: hostPlatform() } : { platform }),
    signal: io.signal,
  };
}
