import { defaultTrafficLimits } from "../../serve/traffic-limits.ts";
import { setting } from "../setting.ts";
import { count, flag, names, oneOf, port, ratio, text, textMap, wholeSeconds } from "../setting-kind.ts";

/** The levels of the log, the most severe first. */
export const logLevels = ["error", "warn", "info", "debug"] as const;

const { connections, sends, bodies } = defaultTrafficLimits;

/** Proxies before a service, its clients, its shutdown, and TLS. */
export const runningSettings = {
  trustedProxies: setting({
    kind: names,
    meaning:
      "Addresses and networks of trusted proxies. The client's address is then taken from `X-Forwarded-For` or `Forwarded`, read from the right up to the first address that is not a trusted proxy. The host and the scheme are taken from `X-Forwarded-Host` and `X-Forwarded-Proto`.",
    default: [],
    example: ["10.0.0.0/8"],
    into: ["service"],
  }),
  connectionIdleSeconds: setting({
    kind: count,
    meaning:
      "How long a connection may wait for a request, from its start or from the end of its last response. After that it is closed; an HTTP/2 client is told before (`GOAWAY`). A proxy in front should keep idle connections for a shorter time. A TLS handshake may take 20 seconds.",
    default: connections.idleSeconds,
    example: 120,
  }),
  connectionsPerNetwork: setting({
    kind: count,
    meaning:
      "How many connections the clients of one network may have: of an IPv4 address, or of an IPv6 /64 network. At the limit, the one that has been idle for the longest time is closed for a new one; if none is idle, the new one is closed. Networks in `trustedProxies` do not have this limit.",
    default: connections.perNetwork,
    example: 500,
  }),
  connectionsAtOnce: setting({
    kind: count,
    meaning:
      "How many connections a process has, besides those of the health port. At the limit it is as with `connectionsPerNetwork`: a connection of the wide network (IPv4 /16, IPv6 /32) with the most connections is closed first.",
    default: connections.inAll,
    example: 20000,
  }),
  sendsPerConnection: setting({
    kind: count,
    meaning:
      "How many long response bodies one connection may receive at the same time. More are answered with 429 and `Retry-After`.",
    default: sends.perConnection,
    example: 50,
  }),
  sendsPerNetwork: setting({
    kind: count,
    meaning:
      "How many long response bodies the clients of one network may receive at the same time: of an IPv4 address, or of an IPv6 /64 network. At the limit, a client that has read nothing for five seconds is cut for a new one; if there is none, the new one is answered with 429 and `Retry-After`.",
    default: sends.perNetwork,
    example: 1000,
  }),
  sendsAtOnce: setting({
    kind: count,
    meaning:
      "How many long response bodies a process sends at the same time. At the limit it is as with `sendsPerNetwork`, with 503.",
    default: sends.inAll,
    example: 10000,
  }),
  sendMemoryBytes: setting({
    kind: count,
    meaning:
      "How much memory a process uses for bytes that clients have not read. At the limit it is as with `sendsAtOnce`. One network may hold a quarter of it with documents in memory, such as reports and long manifests.",
    default: sends.heldBytes,
    example: 268435456,
  }),
  sendStallSeconds: setting({
    kind: count,
    meaning: "How long a client may read nothing of its response. After that its connection or stream is closed.",
    default: sends.stallSeconds,
    example: 120,
  }),
  sendBytesPerSecond: setting({
    kind: count,
    meaning:
      "The least speed at which a client reads its response, on average while it is waited for, measured every 30 seconds.",
    default: sends.leastBytesPerSecond,
    example: 500,
  }),
  bodyStallSeconds: setting({
    kind: count,
    meaning: "How long a client may send nothing of the body of its request.",
    default: bodies.stallSeconds,
    example: 120,
  }),
  bodyBytesPerSecond: setting({
    kind: count,
    meaning:
      "The least speed at which a client sends the body of its request. A slower one is cut when it was waited for `bodyStallSeconds` longer than its bytes take at this speed.",
    default: bodies.leastBytesPerSecond,
    example: 100,
  }),
  console: setting({
    kind: flag,
    meaning: "Whether the registry has the web console, at `/`.",
    default: true,
    example: false,
    into: ["service"],
  }),
  scannerPort: setting({
    kind: port,
    meaning:
      "A port on 127.0.0.1 with the scanner API for programs on this machine, without a key. The registry's own port has the scanner API only with `authKey` and `authIssuers`.",
    otherwise: "none",
    example: 6062,
    into: ["service"],
  }),
  drainSeconds: setting({
    kind: wholeSeconds,
    meaning:
      "How long a process still answers requests after SIGTERM, while `/readyz` is 503. Behind a load balancer, use a little more than the interval of its checks.",
    default: 0,
    example: 10,
    into: ["service"],
  }),
  jobLeaseSeconds: setting({
    kind: count,
    meaning:
      "If a process dies, another process takes over its jobs after this time. The clocks of all nodes must agree within half of it.",
    default: 30,
    into: ["service"],
  }),
  tlsCertificate: setting({
    kind: text,
    meaning: "The file of the certificate chain in PEM, to serve HTTPS (TLS 1.2 or later).",
    otherwise: "none: HTTP is served",
    example: "/etc/plimsoll/tls.pem",
    flag: ["<file>", "certificate chain in PEM"],
  }),
  tlsKey: setting({
    kind: text,
    meaning: "The file of the key of that certificate, in PEM.",
    otherwise: "none",
    example: "/etc/plimsoll/tls-key.pem",
    flag: ["<file>", "its key in PEM"],
  }),
} as const;

/** What a service reports about its own work. */
export const reportingSettings = {
  tracesEndpoint: setting({
    kind: { ...text, isSecret: true },
    meaning: "The address that trace spans are sent to, by OTLP over HTTP in JSON.",
    otherwise:
      "`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, then `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces`; without any, nothing is traced",
    example: "http://collector.example.com:4318/v1/traces",
  }),
  tracesHeaders: setting({
    kind: { ...textMap, isSecret: true },
    meaning: "Headers of each request to `tracesEndpoint`, by name.",
    otherwise: "`OTEL_EXPORTER_OTLP_TRACES_HEADERS`, then `OTEL_EXPORTER_OTLP_HEADERS`",
    example: { authorization: "Bearer 3kTMd1" },
  }),
  tracesSampleRatio: setting({
    kind: ratio,
    meaning:
      "The share of traces that are sent, from 0 to 1. It applies to traces that start here, not to requests with `traceparent`.",
    default: 1,
    example: 0.1,
  }),
  logLevel: setting({
    kind: oneOf(logLevels),
    meaning: "The least severe level that is logged.",
    default: "info",
    flag: ["<level>", "how much to log"],
    into: ["service"],
  }),
  accessLog: setting({
    kind: flag,
    meaning: "Whether each answered request is logged, at the level `info`.",
    default: true,
    example: false,
    into: ["service"],
  }),
} as const;
