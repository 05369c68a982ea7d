import { availableParallelism } from "node:os";
import type { Limits } from "@plimsoll/core";
import { defaultLayerBudget, type ProxySettings } from "@plimsoll/scanner";
import { defaultTrafficLimits, type TrafficLimits } from "../serve/traffic-limits.ts";
import { type NotificationSettings, notificationSettingKinds } from "./notification-settings.ts";
import type { RegistryServiceSettings } from "./registry-settings.ts";
import { modeWords, type ServiceMode } from "./service-modes.ts";
import {
  address,
  base64,
  count,
  countsOf,
  flag,
  names,
  oneOf,
  port,
  text,
  texts,
  wholeSeconds,
} from "./setting-kind.ts";
import { type TracingSettings, tracingSettingKinds } from "./tracing-settings.ts";
import { trafficSettingKinds } from "./traffic-settings.ts";

/**
 * Profiles of the API: `contract` responds as documented, `reference` as the known implementation, for clients that need it.
 */
export const compatibilityProfiles = ["contract", "reference"] as const;

/** One of {@link compatibilityProfiles}. */
export type CompatibilityProfile = (typeof compatibilityProfiles)[number];

/** The levels of the log, the most severe first. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

const limitNames = [
  "maxLayerBytes",
  "maxRatio",
  "ratioFromBytes",
  "maxEntries",
  "maxPathBytes",
  "maxMetaBytes",
  "maxFileBytes",
  "maxKeptBytes",
  "maxFindings",
  "maxFindingCharacters",
  "maxLayers",
] as const satisfies readonly (keyof Limits)[];

/** The kinds of the settings of `plimsoll serve`. */
export const serviceSettingKinds = {
  /** The folder for the service's data, including the database unless `database` is set. */
  data: text,
  database: address,
  /** The most connections to PostgreSQL. */
  databasePoolSize: count,
  /** How long a request waits for a connection to PostgreSQL. */
  databaseConnectSeconds: count,
  /** How long a statement may run on PostgreSQL. */
  databaseStatementSeconds: count,
  /** How long a statement on PostgreSQL waits for a lock. */
  databaseLockSeconds: count,
  /** How long a starting process waits for a PostgreSQL server that does not run yet. */
  databaseWaitSeconds: count,
  host: text,
  port,
  /** The port of `/healthz`, `/readyz` and `/metrics`. */
  healthPort: port,
  mode: modeWords,
  /** The vendor segment of media types and headers. */
  vendor: text,
  compatibility: oneOf(compatibilityProfiles),
  /** The pre-shared key that tokens are signed with. */
  authKey: base64,
  authIssuers: texts,
  /** Images indexed at the same time. */
  indexSlots: count,
  /** On SQLite: after this time, another process may index an image whose indexing process died. */
  indexLeaseSeconds: count,
  maxBodyBytes: count,
  /** How long clients may cache a vulnerability report. */
  reportCacheSeconds: count,
  updatePeriodSeconds: count,
  /** How many update operations of each updater are kept. Differences to older ones cannot be computed. */
  updateRetention: count,
  /** The names of the updaters that run; by default all. */
  updaters: names,
  /** The age from which a feed counts as outdated. */
  feedMaxAgeDays: count,
  /** Internal addresses and networks that layers may be fetched from. */
  layerNetworks: names,
  /** How long connecting to the server of a layer may take. */
  layerConnectSeconds: count,
  /** How long to wait for the next data of a layer. */
  layerIdleSeconds: count,
  /** How long fetching one layer may take, with all attempts. */
  layerTotalSeconds: count,
  /** Layers read at the same time, each in its own thread. */
  layerThreads: count,
  /** CPU time that reading one layer may take. */
  layerCpuSeconds: count,
  /** Heap memory that reading one layer may take. */
  layerHeapMegabytes: count,
  /** Limits for one image. They are part of the index state: a change makes images be indexed again. */
  limits: countsOf(limitNames),
  /** The address of the indexer, for a process without one; or several, separated by commas. */
  indexerAddress: address,
  /** The address of the matcher, for a process without one; or several, separated by commas. */
  matcherAddress: address,
  ...notificationSettingKinds,
  /** Addresses and networks of proxies whose headers about the client, the host and the scheme are trusted. */
  trustedProxies: names,
  ...trafficSettingKinds,
  /** Whether the web console is served with the registry. */
  console: flag,
  /** A port on 127.0.0.1 with the scanner API for programs on this machine, without a key. */
  scannerPort: port,
  /** How long a process still answers requests after SIGTERM, while `/readyz` is 503. */
  drainSeconds: wholeSeconds,
  /** After this time, another process takes over the jobs of a process that died. */
  jobLeaseSeconds: count,
  tlsCertificate: text,
  tlsKey: text,
  ...tracingSettingKinds,
  logLevel: oneOf(logLevels),
  /** Whether each answered request is logged, at the level `info`. */
  accessLog: flag,
} as const;

/** The resolved settings of the service. */
export interface ServiceSettings {
  readonly database: string;
  readonly databasePoolSize: number;
  readonly databaseConnectSeconds: number;
  readonly databaseStatementSeconds: number;
  readonly databaseLockSeconds: number;
  readonly databaseWaitSeconds: number;
  readonly host: string;
  readonly port: number;
  readonly healthPort: number;
  readonly modes: readonly ServiceMode[];
  readonly vendor: string;
  readonly compatibility: CompatibilityProfile;
  readonly auth?: { readonly key: Uint8Array; readonly issuers: readonly string[] };
  readonly indexSlots: number;
  readonly indexLeaseSeconds: number;
  readonly maxBodyBytes: number;
  readonly reportCacheSeconds: number;
  /** Absent: feeds are never updated. */
  readonly updatePeriodSeconds?: number;
  readonly updateRetention: number;
  /** Absent: all updaters run. */
  readonly updaters?: readonly string[];
  readonly feedMaxAgeDays: number;
  /** Whether findings in kernel packages of the registry's images are not suppressed. */
  readonly kernelFindings: boolean;
  /** The file of the index of published Java archives. Absent: none. */
  readonly javaIndex?: string;
  /** Feed locations by feed name that replace those of the updaters. */
  readonly feeds: Readonly<Record<string, string>>;
  readonly layerNetworks: readonly string[];
  readonly layerConnectSeconds: number;
  readonly layerIdleSeconds: number;
  readonly layerTotalSeconds: number;
  readonly layerThreads: number;
  readonly layerCpuSeconds: number;
  readonly layerHeapMegabytes: number;
  /** Limits that differ from the engine's defaults. */
  readonly limits: Partial<Limits>;
  /** Absent: layers and feeds are fetched without a proxy. */
  readonly proxy?: ProxySettings;
  /** One or more addresses without a slash at their end; if one cannot be reached, the next one is used. */
  readonly indexerAddress?: readonly string[];
  readonly matcherAddress?: readonly string[];
  readonly notifications?: NotificationSettings;
  /** How often the registry looks for updates of feeds, for the notifications of its repositories. */
  readonly registryPollSeconds: number;
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[];
  /** The limits of responses that clients do not read, and of bodies that they send slowly. */
  readonly traffic: TrafficLimits;
  /** Whether the console is served with the registry. */
  readonly console: boolean;
  /** Absent: beside a registry, the scanner API needs a key. */
  readonly scannerPort?: number;
  readonly drainSeconds: number;
  readonly jobLeaseSeconds: number;
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Absent: nothing is traced. */
  readonly traces?: TracingSettings;
  readonly logLevel: (typeof logLevels)[number];
  readonly accessLog: boolean;
  /** Absent: this process does nothing for a registry. */
  readonly registry?: RegistryServiceSettings;
}

/** The defaults of the service's settings. */
export const defaultServiceSettings: Omit<ServiceSettings, "database"> = {
  databasePoolSize: 10,
  databaseConnectSeconds: 10,
  databaseStatementSeconds: 60,
  databaseLockSeconds: 30,
  databaseWaitSeconds: 60,
  host: "127.0.0.1",
  port: 6060,
  healthPort: 6061,
  modes: ["all"],
  vendor: "scanner",
  compatibility: "contract",
  indexSlots: 16,
  indexLeaseSeconds: 30,
  maxBodyBytes: 16 * 1024 * 1024,
  reportCacheSeconds: 6 * 3600,
  updateRetention: 10,
  feedMaxAgeDays: 7,
  kernelFindings: false,
  registryPollSeconds: 600,
  layerNetworks: [],
  layerConnectSeconds: 10,
  layerIdleSeconds: 30,
  layerTotalSeconds: 3600,
  layerThreads: Math.max(4, 2 * availableParallelism()), // one may wait for bytes
  ...defaultLayerBudget,
  limits: {},
  feeds: {},
  trustedProxies: [],
  traffic: defaultTrafficLimits,
  drainSeconds: 0,
  jobLeaseSeconds: 30,
  logLevel: "info",
  accessLog: true,
  console: true,
};
