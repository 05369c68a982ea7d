import type { EvidencePath, UnassessedKind } from "../model/index-report.ts";

/** Evidence of packages in the finished image: one piece, or several that are counted under one path. */
export interface Piece extends EvidencePath {
  readonly packages: UnassessedKind;
  readonly pieces: number;
}
