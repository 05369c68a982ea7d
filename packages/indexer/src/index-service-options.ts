import type { Engine, MatchFacts } from "@plimsoll/core";
import type { SingleFlightOptions } from "@plimsoll/store";
import type { ImageReaders } from "./image-readers.ts";
import type { FetchLayer, Sleep } from "./ports.ts";
import type { IndexerStore } from "./store/tables.ts";

/** Options of the service. */
export interface IndexServiceOptions extends SingleFlightOptions {
  readonly store: IndexerStore;
  readonly sleep: Sleep;
  readonly engine: Engine;
  /** How layers are read and reports are made, with the engine's plug-ins. */
  readonly readers: ImageReaders;
  readonly fetchLayer: FetchLayer;
  /**
   * What the matcher makes reports with besides advisories: `affectedManifests` then finds what reports say. Absent: it takes
   * every distribution for covered by a feed.
   */
  readonly facts?: MatchFacts;
  /** Layers of one image read at the same time. */
  readonly layersAtOnce: number;
  /** Names runs; random UUIDs where absent. */
  readonly createRunId?: () => string;
}
