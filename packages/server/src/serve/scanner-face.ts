import type { IndexerContext } from "@plimsoll/indexer/http";
import type { MatcherContext } from "@plimsoll/matcher/http";
import type { NotifierContext } from "@plimsoll/notifier/http";
import type { CompatibilityProfile } from "../config/service-settings.ts";

/** The services of this process; those that are absent run elsewhere, and their paths are unknown here. */
export interface ScannerServices {
  readonly indexer?: IndexerContext;
  readonly matcher?: MatcherContext;
  readonly notifier?: NotifierContext;
}

/** How the scanner API presents itself. */
export interface ScannerFace {
  /** The segment of media types and of the trailer that names who runs the service. */
  readonly vendor: string;
  readonly compatibility: CompatibilityProfile;
  readonly maxBodyBytes: number;
}
