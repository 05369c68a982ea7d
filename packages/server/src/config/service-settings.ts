import { availableParallelism } from "node:os";
import type { Limits } from "@plimsoll/core";
import { defaultLayerBudget, type ProxySettings } from "@plimsoll/scanner";
import { type NotificationSettings, notificationSettingKinds } from "./notification-settings.ts";
import type { RegistryServiceSettings } from "./registry-settings.ts";
import { modeWords, type ServiceMode } from "./service-modes.ts";
import { base64, count, countsOf, flag, oneOf, port, text, texts, wholeSeconds } from "./setting-kind.ts";
import { type TracingSettings, tracingSettingKinds } from "./tracing-settings.ts";

/**
 * Whom the API pleases: `contract` is the documented API; `reference` answers as the known implementation does where
 * existing clients of it insist.
 */
export const compatibilityProfiles = ["contract", "reference"] as const;

/** One of {@link compatibilityProfiles}. */
export type CompatibilityProfile = (typeof compatibilityProfiles)[number];

/** How much is logged. */
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

/** The settings of `plimsoll serve`. */
export const serviceSettingKinds = {
  /** Where the service keeps what it knows, unless `database` says otherwise. */
  data: text,
  database: text,
  /** Connections to PostgreSQL at most. */
  databasePoolSize: count,
  /** How long a request waits for a connection to PostgreSQL. */
  databaseConnectSeconds: count,
  /** How long a statement may run on PostgreSQL. */
  databaseStatementSeconds: count,
  /** How long a statement on PostgreSQL waits for a lock that another has. */
  databaseLockSeconds: count,
  /** How long starting waits for a PostgreSQL server that does not run yet. */
  databaseWaitSeconds: count,
  host: text,
  port,
  /** Of `/healthz`, `/readyz` and `/metrics`. */
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
  /** How long an image stays undone on SQLite whose indexing died with its process. */
  indexLeaseSeconds: count,
  maxBodyBytes: count,
  /** How long a vulnerability report may be taken from a cache. */
  reportCacheSeconds: count,
  updatePeriodSeconds: count,
  /** Update operations of each updater that stay; older ones are forgotten, and no difference is told against them. */
  updateRetention: count,
  /** The updaters that run, by name; all where absent. */
  updaters: texts,
  /** From which age on a feed counts as outdated. */
  feedMaxAgeDays: count,
  /** Internal addresses and networks that layers may come from. */
  layerNetworks: texts,
  /** Until the server of a layer is connected to. */
  layerConnectSeconds: count,
  /** Between two pieces of a layer. */
  layerIdleSeconds: count,
  /** One layer with all attempts. */
  layerTotalSeconds: count,
  /** Layers read at the same time, each in a thread of its own. */
  layerThreads: count,
  /** Processor time that reading one layer may take. */
  layerCpuSeconds: count,
  /** Memory for objects that reading one layer may take. */
  layerHeapMegabytes: count,
  /** What an image may cost. Other limits are another index state. */
  limits: countsOf(limitNames),
  /** Where the indexer is, in a process that is none: one address or several, separated by commas. */
  indexerAddress: text,
  /** Where the matcher is, in a process that is none: one address or several, separated by commas. */
  matcherAddress: text,
  ...notificationSettingKinds,
  /** Addresses and networks of proxies whose headers are believed about the client, the host and the scheme. */
  trustedProxies: texts,
  /** Whether pages for people are served beside the registry. */
  console: flag,
  /** On 127.0.0.1: the scanner API beside a registry for programs of this machine, without a key. */
  scannerPort: port,
  /** How long a process that is told to stop still answers new requests, while it says that it is not ready. */
  drainSeconds: wholeSeconds,
  /** How long the work of a process that died waits for another. */
  jobLeaseSeconds: count,
  tlsCertificate: text,
  tlsKey: text,
  ...tracingSettingKinds,
  logLevel: oneOf(logLevels),
  /** Whether each answered request is a line of the log, at the level info. */
  accessLog: flag,
} as const;

/** The service's settings in force. */
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
  /** Whether findings in packages of the kernel are findings of the registry's images, and not suppressed. */
  readonly kernelFindings: boolean;
  /** Feed locations by feed name, where they are not the updater's own. */
  readonly feeds: Readonly<Record<string, string>>;
  readonly layerNetworks: readonly string[];
  readonly layerConnectSeconds: number;
  readonly layerIdleSeconds: number;
  readonly layerTotalSeconds: number;
  readonly layerThreads: number;
  readonly layerCpuSeconds: number;
  readonly layerHeapMegabytes: number;
  /** Those that are not the engine's own. */
  readonly limits: Partial<Limits>;
  /** Absent: layers and feeds are fetched without a proxy. */
  readonly proxy?: ProxySettings;
  /** One or several, without a slash at their end; where one cannot be reached, the next is asked. */
  readonly indexerAddress?: readonly string[];
  readonly matcherAddress?: readonly string[];
  readonly notifications?: NotificationSettings;
  /** How often the registry looks for updates of feeds, to tell notifications of repositories what they change. */
  readonly registryPollSeconds: number;
  /** Addresses and networks. */
  readonly trustedProxies: readonly string[];
  /** Whether the console is served, where there is a registry. */
  readonly console: boolean;
  /** Absent: beside a registry, the scanner API needs a key. */
  readonly scannerPort?: number;
  readonly drainSeconds: number;
  readonly jobLeaseSeconds: number;
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Absent: no spans are made. */
  readonly traces?: TracingSettings;
  readonly logLevel: (typeof logLevels)[number];
  readonly accessLog: boolean;
  /** Absent: this process has no part in a registry. */
  readonly registry?: RegistryServiceSettings;
}

/** The defaults. */
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
  drainSeconds: 0,
  jobLeaseSeconds: 30,
  logLevel: "info",
  accessLog: true,
  console: true,
};
