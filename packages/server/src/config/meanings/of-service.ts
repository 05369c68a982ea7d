import type { notificationSettingKinds } from "../notification-settings.ts";
import type { serviceSettingKinds } from "../service-settings.ts";
import { type Meaning, none } from "./meaning.ts";

/** Descriptions of the settings of a service, except those of notifications. */
export const serviceMeanings: Readonly<
  Record<Exclude<keyof typeof serviceSettingKinds, keyof typeof notificationSettingKinds>, Meaning>
> = {
  data: ["The folder in which a service stores its data.", "a folder in the user's data folder"],
  database: [
    "The database of a service: `sqlite:PATH` or `postgres://USER@HOST/DATABASE`. Several processes of one machine, containers included, may share one SQLite file. Several machines need PostgreSQL.",
    "a file in `data`",
  ],
  databasePoolSize: ["The most connections that one process opens to PostgreSQL."],
  databaseConnectSeconds: [
    "How long a request waits for a connection to PostgreSQL. After that it is answered with 503 and `Retry-After`.",
  ],
  databaseStatementSeconds: [
    "How long a statement may run on PostgreSQL. After that the request is answered with 503 and `Retry-After`.",
  ],
  databaseLockSeconds: [
    "How long a statement on PostgreSQL waits for a lock. After that the request is answered with 503 and `Retry-After`.",
  ],
  databaseWaitSeconds: ["How long a starting process waits for a PostgreSQL server that does not run yet."],
  host: ["The address to listen on."],
  port: ["The port of the API; 0 is any free port."],
  healthPort: ["The port of `/healthz`, `/readyz` and `/metrics`.", "the one after `port`"],
  mode: [
    "The services that the process runs: one or several of the modes. `worker` does the registry's background work.",
    "all",
  ],
  vendor: ["The vendor segment in media types and headers of the scanner API."],
  compatibility: [
    "`contract` answers as the scanner API is documented; `reference` answers as the known implementation does, if its clients need that. Services of other vendors that `indexerAddress` and `matcherAddress` name are expected to have the same profile.",
  ],
  authKey: [
    "The key, in base64, that signs the tokens of clients of the scanner API.",
    "none: requests need no token; together with a registry, the scanner API is closed",
  ],
  authIssuers: ["The accepted issuers (`iss`) of such tokens.", none],
  indexSlots: ["How many images are indexed at the same time."],
  indexLeaseSeconds: [
    "On SQLite: if a process dies while it indexes an image, another process may index it after this time.",
  ],
  maxBodyBytes: ["The largest body of a request to the scanner API."],
  reportCacheSeconds: ["How long clients may cache a vulnerability report."],
  updatePeriodSeconds: ["How often feeds are updated.", "21600; never with `offline`"],
  updateRetention: [
    "How many update operations of each updater are kept. Differences to older ones cannot be computed.",
  ],
  updaters: ["The names of the updaters that run.", "all"],
  feedMaxAgeDays: ["The age from which a feed counts as outdated."],
  layerNetworks: ["Internal addresses and networks that layers may be fetched from."],
  layerConnectSeconds: ["How long connecting to the server of a layer may take."],
  layerIdleSeconds: ["How long to wait for data from the server of a layer."],
  layerTotalSeconds: ["How long fetching one layer may take, with all attempts."],
  layerThreads: [
    "How many layers are read at the same time, each in its own thread. Layers that arrive slowly do not count, up to four times this number in total.",
    "twice the number of processors, at least 4; fewer if the memory is not enough for this number times `layerHeapMegabytes`",
  ],
  layerCpuSeconds: ["How much CPU time reading one layer may take."],
  layerHeapMegabytes: ["How much heap memory reading one layer may take."],
  limits: [
    "Limits for one image that differ from the engine's defaults. A layer with more packages than `maxFindings` is rejected.",
    "the engine's limits; maxFindings is 40000",
  ],
  indexerAddress: [
    "The address of the indexer, for a process without an indexer. If there are several, separated by commas, the next one is used if one cannot be reached or answers 503.",
    none,
  ],
  matcherAddress: [
    "The address of the matcher, for a process without a matcher. With it, an indexer finds exactly those affected images whose reports have the vulnerability. If there are several addresses, separated by commas, the next one is used if one cannot be reached or answers 503.",
    none,
  ],
  trustedProxies: [
    "Addresses and networks of trusted proxies. The client's address is then taken from `X-Forwarded-For` or `Forwarded`, read from the right up to the first address that is not a trusted proxy. The host and the scheme are taken from `X-Forwarded-Host` and `X-Forwarded-Proto`.",
  ],
  connectionIdleSeconds: [
    "How long a connection may wait for a request, from its start or from the end of its last response. After that it is closed; an HTTP/2 client is told before (`GOAWAY`). A proxy in front should keep idle connections for a shorter time. A TLS handshake may take 20 seconds.",
    "75",
  ],
  connectionsPerNetwork: [
    "How many connections the clients of one network may have: of an IPv4 address, or of an IPv6 /64 network. At the limit, the one that has been idle for the longest time is closed for a new one; if none is idle, the new one is closed. Networks in `trustedProxies` do not have this limit.",
    "1024",
  ],
  connectionsAtOnce: [
    "How many connections a process has, besides those of the health port. At the limit it is as with `connectionsPerNetwork`: a connection of the wide network (IPv4 /16, IPv6 /32) with the most connections is closed first.",
    "8192",
  ],
  sendsPerConnection: [
    "How many long response bodies one connection may receive at the same time. More are answered with 429 and `Retry-After`.",
    "100",
  ],
  sendsPerNetwork: [
    "How many long response bodies the clients of one network may receive at the same time: of an IPv4 address, or of an IPv6 /64 network. At the limit, a client that has read nothing for five seconds is cut for a new one; if there is none, the new one is answered with 429 and `Retry-After`.",
    "2048",
  ],
  sendsAtOnce: [
    "How many long response bodies a process sends at the same time. At the limit it is as with `sendsPerNetwork`, with 503.",
    "4096",
  ],
  sendMemoryBytes: [
    "How much memory a process uses for bytes that clients have not read. At the limit it is as with `sendsAtOnce`. One network may hold a quarter of it with documents in memory, such as reports and long manifests.",
    "134217728",
  ],
  sendStallSeconds: [
    "How long a client may read nothing of its response. After that its connection or stream is closed.",
    "60",
  ],
  sendBytesPerSecond: [
    "The least speed at which a client reads its response, on average while it is waited for, measured every 30 seconds.",
    "1024",
  ],
  bodyStallSeconds: ["How long a client may send nothing of the body of its request.", "60"],
  bodyBytesPerSecond: [
    "The least speed at which a client sends the body of its request. A slower one is cut when it was waited for `bodyStallSeconds` longer than its bytes take at this speed.",
    "250",
  ],
  console: ["Whether the registry has the web console, at `/`."],
  scannerPort: [
    "A port on 127.0.0.1 with the scanner API for programs on this machine, without a key. The registry's own port has the scanner API only with `authKey` and `authIssuers`.",
    none,
  ],
  drainSeconds: [
    "How long a process still answers requests after SIGTERM, while `/readyz` is 503. Behind a load balancer, use a little more than the interval of its checks.",
  ],
  jobLeaseSeconds: [
    "If a process dies, another process takes over its jobs after this time. The clocks of all nodes must agree within half of it.",
  ],
  tlsCertificate: [
    "The file of the certificate chain in PEM, to serve HTTPS (TLS 1.2 or later).",
    "none: HTTP is served",
  ],
  tlsKey: ["The file of the key of that certificate, in PEM.", none],
  tracesEndpoint: [
    "The address that trace spans are sent to, by OTLP over HTTP in JSON.",
    "`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, then `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces`; without any, nothing is traced",
  ],
  tracesHeaders: [
    "Headers of each request to `tracesEndpoint`, by name.",
    "`OTEL_EXPORTER_OTLP_TRACES_HEADERS`, then `OTEL_EXPORTER_OTLP_HEADERS`",
  ],
  tracesSampleRatio: [
    "The share of traces that are sent, from 0 to 1. It applies to traces that start here, not to requests with `traceparent`.",
    "1",
  ],
  logLevel: ["The least severe level that is logged."],
  accessLog: ["Whether each answered request is logged, at the level `info`."],
};
