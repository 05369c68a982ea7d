import type { EvidencePath, UnassessedKind } from "../model/index-report.ts";

/** One piece of evidence in the finished image, or several that one path stands for. */
export interface Piece extends EvidencePath {
  readonly packages: UnassessedKind;
  readonly pieces: number;
}
