import type { Tracer } from "@opentelemetry/api";
import type { Engine } from "@plimsoll/core";
import type { ImageReaders, IndexerTables } from "@plimsoll/indexer";
import type { MatcherTables } from "@plimsoll/matcher";
import type { NotifierTables } from "@plimsoll/notifier";
import type { Store } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { WorkFigures } from "../metrics/work-figures.ts";
import type { BlobLayers } from "../registry/layer-observer.ts";
import type { Outage } from "./outages.ts";

/** The shared parts of the services of a process. */
export interface ServiceParts {
  readonly settings: ServiceSettings;
  readonly store: ScannerStore;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** The detectors, matchers and enrichers. */
  readonly engine: Engine;
  /** The threads that read layers. */
  readonly readers: ImageReaders;
  readonly outages: Outages;
  readonly figures: WorkFigures;
  /** The layers of the registry, if this process has one. */
  readonly layers?: BlobLayers;
  /** Starts spans for attempts of jobs. */
  readonly tracer?: Tracer;
}

/** The database of the service. */
export type ScannerStore = Store<ScannerTables>;

/** The states of the external dependencies of a process. */
export interface Outages {
  readonly indexer: Outage;
  readonly matcher: Outage;
  readonly notifications: Outage;
  readonly blobs: Outage;
  /** The free space for blobs. */
  readonly blobSpace: Outage;
  readonly mail: Outage;
  readonly directory: Outage;
  /** The identity providers by the name of their service. */
  readonly identityProviders: ReadonlyMap<string, Outage>;
}

/** The tables of all services. */
export type ScannerTables = IndexerTables & MatcherTables & NotifierTables;
