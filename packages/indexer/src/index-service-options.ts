import type { Engine } from "@plimsoll/core";
import type { MatchFacts } from "@plimsoll/core/internal";
import type { SingleFlightOptions } from "@plimsoll/store";
import type { FetchLayer, ImageReaders, Sleep } from "./ports.ts";
import type { IndexerStore } from "./store/tables.ts";

/** Options of the index service. */
export interface IndexServiceOptions extends SingleFlightOptions {
  readonly store: IndexerStore;
  readonly sleep: Sleep;
  readonly engine: Engine;
  /** Reads layers and makes reports, with the engine's detectors. */
  readonly readers: ImageReaders;
  readonly fetchLayer: FetchLayer;
  /**
   * The facts that the matcher uses besides advisories, so that `affectedManifests` agrees with reports. Absent: every distribution
   * counts as covered by a feed.
   */
  readonly facts?: MatchFacts;
  /** Layers of one image read at the same time. */
  readonly layersAtOnce: number;
  /** Creates ids of runs. Default: random UUIDs. */
  readonly createRunId?: () => string;
}
