import { modeWords } from "../service-modes.ts";
import { setting } from "../setting.ts";
import { address, base64, count, names, oneOf, port, text, texts } from "../setting-kind.ts";

/**
 * Profiles of the API: `contract` responds as documented, `reference` as the known implementation, for clients that need it.
 */
export const compatibilityProfiles = ["contract", "reference"] as const;

/** Where a service stores its data. */
export const dataSettings = {
  data: setting({
    kind: text,
    meaning: "The folder in which a service stores its data.",
    otherwise: "a folder in the user's data folder",
    example: "/var/lib/plimsoll",
    flag: ["<folder>", "the folder for the service's data"],
  }),
  database: setting({
    kind: address,
    meaning:
      "The database of a service: `sqlite:PATH` or `postgres://USER@HOST/DATABASE`. Several processes of one machine, containers included, may share one SQLite file. Several machines need PostgreSQL.",
    otherwise: "a file in the data folder",
    example: "postgres://plimsoll@db.example.com/plimsoll",
    flag: ["<location>", "sqlite:PATH or postgres://USER@HOST/DATABASE"],
  }),
  databasePoolSize: setting({
    kind: count,
    meaning: "The most connections that one process opens to PostgreSQL.",
    default: 10,
    into: ["service"],
  }),
  databaseConnectSeconds: setting({
    kind: count,
    meaning:
      "How long a request waits for a connection to PostgreSQL. After that it is answered with 503 and `Retry-After`.",
    default: 10,
    into: ["service"],
  }),
  databaseStatementSeconds: setting({
    kind: count,
    meaning:
      "How long a statement may run on PostgreSQL. After that the request is answered with 503 and `Retry-After`.",
    default: 60,
    into: ["service"],
  }),
  databaseLockSeconds: setting({
    kind: count,
    meaning:
      "How long a statement on PostgreSQL waits for a lock. After that the request is answered with 503 and `Retry-After`.",
    default: 30,
    into: ["service"],
  }),
  databaseWaitSeconds: setting({
    kind: count,
    meaning: "How long a starting process waits for a PostgreSQL server that does not run yet.",
    default: 60,
    into: ["service"],
  }),
} as const;

const apiPort = 6060;

/** Where a service listens, and what a process runs. */
export const listeningSettings = {
  host: setting({
    kind: text,
    meaning: "The address to listen on.",
    default: "127.0.0.1",
    flag: ["<host>", "the address to listen on"],
    into: ["service"],
  }),
  port: setting({
    kind: port,
    meaning: "The port of the API; 0 is any free port.",
    default: apiPort,
    flag: ["<port>", "the port of the API"],
    into: ["service"],
  }),
  healthPort: setting({
    kind: port,
    meaning: "The port of `/healthz`, `/readyz` and `/metrics`.",
    default: apiPort + 1,
    otherwise: "the one after that of the API",
    flag: ["<port>", "the port of /healthz, /readyz and /metrics"],
    into: ["service"],
  }),
  mode: setting({
    kind: modeWords,
    meaning:
      "The services that the process runs: one or several of the modes. `worker` does the registry's background work.",
    default: ["all"],
    example: ["registry", "worker"],
    flag: ["<modes>", "services to run, comma-separated"],
  }),
} as const;

/** The scanner API. */
export const scannerSettings = {
  vendor: setting({
    kind: text,
    meaning: "The vendor segment in media types and headers of the scanner API.",
    default: "scanner",
    flag: ["<name>", "the vendor segment of media types and headers"],
    into: ["service"],
  }),
  compatibility: setting({
    kind: oneOf(compatibilityProfiles),
    meaning:
      "`contract` answers as the scanner API is documented; `reference` answers as the known implementation does, if its clients need that. Services of other vendors that `indexerAddress` and `matcherAddress` name are expected to have the same profile.",
    default: "contract",
    flag: ["<profile>", "answer as documented, or like the known implementation if clients need that"],
    into: ["service"],
  }),
  authKey: setting({
    kind: base64,
    meaning: "The key, in base64, that signs the tokens of clients of the scanner API.",
    otherwise: "none: requests need no token; together with a registry, the scanner API is closed",
    example: "c2VjcmV0IG9mIGF0IGxlYXN0IDMyIGJ5dGVzIC4uLi4=",
  }),
  authIssuers: setting({
    kind: texts,
    meaning: "The accepted issuers (`iss`) of such tokens.",
    otherwise: "none",
    example: ["ci"],
  }),
  indexSlots: setting({
    kind: count,
    meaning: "How many images are indexed at the same time.",
    default: 16,
    into: ["service"],
  }),
  indexLeaseSeconds: setting({
    kind: count,
    meaning: "On SQLite: if a process dies while it indexes an image, another process may index it after this time.",
    default: 30,
    into: ["service"],
  }),
  maxBodyBytes: setting({
    kind: count,
    meaning: "The largest body of a request to the scanner API.",
    default: 16 * 1024 * 1024,
    into: ["service"],
  }),
  reportCacheSeconds: setting({
    kind: count,
    meaning: "How long clients may cache a vulnerability report.",
    default: 6 * 3600,
    into: ["service"],
  }),
} as const;

const updatePeriodSeconds = 6 * 3600;

/** How a matcher keeps its advisories up to date. */
export const feedSettings = {
  updatePeriodSeconds: setting({
    kind: count,
    meaning: "How often feeds are updated.",
    default: updatePeriodSeconds,
    otherwise: `${updatePeriodSeconds}; never with \`offline\``,
    example: 3600,
  }),
  updateRetention: setting({
    kind: count,
    meaning: "How many update operations of each updater are kept. Differences to older ones cannot be computed.",
    default: 10,
    into: ["service"],
  }),
  updaters: setting({
    kind: names,
    meaning: "The names of the updaters that run.",
    otherwise: "all",
    example: ["debian", "alpine"],
    into: ["service"],
  }),
  feedMaxAgeDays: setting({
    kind: count,
    meaning: "The age from which a feed counts as outdated.",
    default: 7,
    into: ["service"],
  }),
} as const;

/** Services that run in another process. */
export const otherServiceSettings = {
  indexerAddress: setting({
    kind: address,
    meaning:
      "The address of the indexer, for a process without an indexer. If there are several, separated by commas, the next one is used if one cannot be reached or answers 503.",
    otherwise: "none",
    example: "http://indexer-1.example.com:6060,http://indexer-2.example.com:6060",
    flag: ["<url>", "the address of the indexer, for a process without an indexer"],
  }),
  matcherAddress: setting({
    kind: address,
    meaning:
      "The address of the matcher, for a process without a matcher. With it, an indexer finds exactly those affected images whose reports have the vulnerability. If there are several addresses, separated by commas, the next one is used if one cannot be reached or answers 503.",
    otherwise: "none",
    example: "http://matcher.example.com:6060",
    flag: ["<url>", "the address of the matcher, for a process without a matcher"],
  }),
} as const;
