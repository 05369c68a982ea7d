import type { IndexerContext } from "@plimsoll/indexer/http";
import type { MatcherContext } from "@plimsoll/matcher/http";
import type { NotifierContext } from "@plimsoll/notifier/http";
import type { CompatibilityProfile } from "../config/service-settings.ts";
import type { UnjudgedReport } from "./reported-coverage.ts";

/** The services of this process; those that are absent run elsewhere, and their paths are unknown here. */
export interface ScannerServices {
  readonly indexer?: IndexerContext;
  readonly matcher?: MatcherContext;
  readonly notifier?: NotifierContext;
}

/** The settings of the scanner API that clients see. */
export interface ScannerFace {
  /** The vendor segment of media types and of the error trailer. */
  readonly vendor: string;
  readonly compatibility: CompatibilityProfile;
  readonly maxBodyBytes: number;
  /** Called for a report whose form leaves out that packages were not judged. */
  readonly onUnjudged?: (report: UnjudgedReport) => void;
}
