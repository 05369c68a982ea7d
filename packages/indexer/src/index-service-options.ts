import type { Engine } from "@plimsoll/core";
import type { ImageReaders } from "./image-readers.ts";
import type { FetchLayer } from "./ports.ts";
import type { SingleFlightOptions } from "./single-flight.ts";

/** What the service is made of. */
export interface IndexServiceOptions extends SingleFlightOptions {
  readonly engine: Engine;
  /** How layers are read and reports are made, with the engine's plug-ins. */
  readonly readers: ImageReaders;
  readonly fetchLayer: FetchLayer;
  /** Layers of one image read at the same time. */
  readonly layersAtOnce: number;
  /** Names runs; random UUIDs where absent. */
  readonly createRunId?: () => string;
}
