import type { Tracer } from "@opentelemetry/api";
import type { Engine } from "@plimsoll/core";
import type { ImageReaders, IndexerTables } from "@plimsoll/indexer";
import type { MatcherTables } from "@plimsoll/matcher";
import type { NotifierTables } from "@plimsoll/notifier";
import type { Store } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { WorkFigures } from "../metrics/work-figures.ts";
import type { BlobLayers } from "../registry/blob-layers.ts";
import type { Outage } from "./outages.ts";

/** What the services of a process are made of. */
export interface ServiceParts {
  readonly settings: ServiceSettings;
  readonly store: ScannerStore;
  readonly logger: Logger;
  readonly clock: { now(): number };
  /** What is looked for and matched. */
  readonly engine: Engine;
  /** What layers are read with. */
  readonly readers: ImageReaders;
  readonly outages: Outages;
  readonly figures: WorkFigures;
  /** The layers of the registry, where this process knows one. */
  readonly layers?: BlobLayers;
  /** Makes spans of attempts of jobs. */
  readonly tracer?: Tracer;
}

/** The database of the service. */
export type ScannerStore = Store<ScannerTables>;

/** What the services of a process need from others, and whether it works. */
export interface Outages {
  readonly indexer: Outage;
  readonly matcher: Outage;
  readonly notifications: Outage;
  readonly blobs: Outage;
  /** The room for more blobs. */
  readonly blobSpace: Outage;
  readonly mail: Outage;
  readonly directory: Outage;
  /** Of each identity provider, by the name of its service. */
  readonly identityProviders: ReadonlyMap<string, Outage>;
}

/** The tables of all services. */
export type ScannerTables = IndexerTables & MatcherTables & NotifierTables;
