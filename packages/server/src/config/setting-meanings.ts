import { defaultRegistrySettings } from "@plimsoll/registry-api/settings";
import { defaultServiceSettings } from "./service-settings.ts";
import { settingExamples } from "./setting-examples.ts";
import type { SettingName } from "./settings.ts";

/** What a setting means, and what holds where it is not set. */
export interface SettingMeaning {
  readonly meaning: string;
  /** In words, or the value itself as JSON. */
  readonly default: string;
  /** A value as a file would have it. */
  readonly example: unknown;
}

/** A sentence; and the default in words, where {@link knownDefaults} does not have it. */
type Meaning = readonly [meaning: string, otherwise?: string];

const none = "none";

const meanings: Readonly<Record<SettingName, Meaning>> = {
  db: ["The advisory database of the command: a file, or `postgres://…`.", "a file in the user's cache folder"],
  offline: ["Never use the network. A service with this setting never updates its feeds.", "false"],
  platform: [
    "Which image of a multi-platform image is read: `OS/ARCHITECTURE`, or `all`.",
    "the platform of this machine",
  ],
  output: ["How results are written: `FORMAT` or `FORMAT=FILE`.", "table"],
  failOn: ["Findings that end the command with exit code 1, in the words of `--fail-on`.", none],
  show: ["Findings that are shown, in the words of `--show`.", "all"],
  strict: ["Incomplete results, and advisory data that are missing or old, fail the command.", "false"],
  allowIncomplete: [
    "`failOn` considers only what could be assessed, and does not fail because something could not be assessed.",
    "false",
  ],
  color: ["When output is coloured.", "auto"],
  vex: [
    "VEX documents (OpenVEX, CSAF 2.0, CycloneDX) whose statements take findings out of `plimsoll scan`; those are listed as `suppressed`, with the reason.",
    none,
  ],
  attachedVex: [
    "Also apply VEX documents that are attached to an image in its registry, to `plimsoll scan` and `plimsoll explain`. Everyone who may push to the repository can attach them, and signatures are not checked.",
    "false",
  ],
  kernelFindings: [
    "Findings in packages of the kernel (`linux-libc-dev`, `kernel-headers`, `linux-image-…`) stay findings of `plimsoll scan` and `plimsoll explain`. Without it they are listed as `suppressed`: a container runs on the kernel of its host. Of folders (`dir:`) they always stay.",
    "false",
  ],
  ignore: [
    "Findings that are known and left alone: a list of rules with `id`, `reason`, and perhaps `package` (a package URL, of which version and qualifiers may be left out), `image` (digest or name), `author` and `expires` (the last day). Rules that are over, or about no finding, are named on standard error.",
    none,
  ],
  maxDbAgeDays: ["Advisory data that are older are reported, fail a gate, and are rejected under `strict`.", "7"],
  feeds: [
    "Where feeds are fetched from, by the feed's name: an address or a file.",
    "the address that each feed declares",
  ],
  mirrors: ["Registries that are asked first, by the host of the registry that they mirror.", none],
  insecureRegistries: ["Registries that may be used without TLS, or with any certificate.", "only this machine"],
  httpProxy: [
    "The proxy for http addresses of layers, feeds, webhooks, S3 and hosts that clients name.",
    "`HTTP_PROXY`",
  ],
  httpsProxy: ["The proxy for https addresses.", "`HTTPS_PROXY`, then `httpProxy`"],
  noProxy: [
    "Hosts that are reached without a proxy: `host`, `.domain`, `host:port`, separated by commas.",
    "`NO_PROXY`",
  ],
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
    "Which services a process is: one or several of the modes. `worker` does the registry's background work.",
    "all",
  ],
  vendor: ["The vendor segment in media types and headers of the scanner API."],
  compatibility: [
    "`contract` answers as the scanner API is documented; `reference` answers as the known implementation does where its clients need that.",
  ],
  authKey: [
    "The key, in base64, that signs the tokens of clients of the scanner API.",
    "none: requests need no token; beside a registry, the scanner API is closed",
  ],
  authIssuers: ["The accepted issuers (`iss`) of such tokens.", none],
  indexSlots: ["How many images are indexed at the same time."],
  indexLeaseSeconds: [
    "On SQLite: how long after the death of a process another may index the image that it was indexing.",
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
  layerIdleSeconds: ["How long the server of a layer may send nothing."],
  layerTotalSeconds: ["How long fetching one layer may take, with all attempts."],
  layerThreads: [
    "How many layers are read at the same time, each in its own thread. Layers that come slowly do not count, up to four times as many in all.",
    "twice the number of processors, at least 4; fewer where memory has no room for as many times `layerHeapMegabytes`",
  ],
  layerCpuSeconds: ["How much processor time reading one layer may take."],
  layerHeapMegabytes: ["How much memory for objects reading one layer may take."],
  limits: [
    "Limits of what one image may cost, where they differ from the engine's own. A layer with more packages than `maxFindings` is rejected.",
    "the engine's limits; maxFindings is 40000",
  ],
  indexerAddress: [
    "The address of the indexer, in a process that is no indexer. With several, separated by commas, the next is asked when one cannot be reached or answers 503.",
    none,
  ],
  matcherAddress: [
    "The address of the matcher, in a process that is no matcher; with it, an indexer finds exactly the affected images that reports name. With several, separated by commas, the next is asked when one cannot be reached or answers 503.",
    none,
  ],
  notificationCallback: [
    "The address, before the id of a set, where receivers read the notifications of the set. Required for notifications.",
    none,
  ],
  notificationMode: [
    "Which vulnerabilities of an image are sent: `summary` is the worst one, `full` is all.",
    "summary",
  ],
  pollPeriodSeconds: [
    "How often the notifier, and the worker of a registry for the notifications of its repositories, look for updates of feeds.",
    "21600; 600 for the registry",
  ],
  webhookTarget: ["The address that receives a `POST` when there are notifications.", "none: no webhook is sent"],
  webhookHeaders: ["Headers of each webhook request: lists of values by name.", none],
  amqpUris: ["The addresses of AMQP brokers. The first one that can be reached is used.", none],
  amqpExchange: ["The exchange that notifications are published to.", "the broker's default exchange"],
  amqpExchangeType: ["The type that the exchange is declared with.", "the exchange is not declared and must exist"],
  amqpExchangeDurable: ["Whether the declared exchange survives a restart of the broker.", "true"],
  amqpExchangeAutoDelete: ["Whether the declared exchange is deleted with its last binding.", "false"],
  amqpRoutingKey: ["The routing key of notifications. Required with `amqpUris`.", none],
  stompAddresses: ["STOMP brokers, each `HOST:PORT`. The first one that can be reached is used.", none],
  stompDestination: ["The destination that notifications are sent to. Required with `stompAddresses`.", none],
  stompLogin: ["The user name at the STOMP broker.", none],
  stompPasscode: ["The password of `stompLogin`.", none],
  stompTls: ["Whether to connect to the STOMP broker with TLS.", "false"],
  brokerCa: [
    "A file in PEM with the certificate authorities that are trusted for the broker.",
    "the system's authorities",
  ],
  brokerCertificate: ["A file in PEM with the client certificate for the broker, and its chain.", none],
  brokerKey: ["A file in PEM with the key of that certificate.", none],
  directRollup: [
    "How many notifications a message to the broker contains.",
    "messages contain the address of the notifications instead",
  ],
  trustedProxies: [
    "Addresses and networks of trusted proxies. The client's address is then taken from `X-Forwarded-For` or `Forwarded`, read from the right up to the first address that is no trusted proxy; host and scheme from `X-Forwarded-Host` and `X-Forwarded-Proto`.",
  ],
  console: ["Whether the registry has pages for people, at `/`, beside its API."],
  scannerPort: [
    "A port on 127.0.0.1 with the scanner API for programs of this machine, without a key. Beside a registry, the registry's own port has the scanner API only with `authKey` and `authIssuers`.",
    none,
  ],
  drainSeconds: [
    "How long a process still answers after SIGTERM, while `/readyz` is 503. Behind a balancer: a little more than the balancer needs to notice.",
  ],
  jobLeaseSeconds: [
    "How long after the death of a process another takes over its jobs. The clocks of all nodes must agree within half of it.",
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
    "The share of traces that are sent, from 0 to 1. It applies to traces that begin here, and not to requests with `traceparent`.",
    "1",
  ],
  logLevel: ["The least severe level that is logged."],
  accessLog: ["Whether each answered request is logged, at the level `info`."],
  registryHost: [
    "The host in the addresses that the registry sends, with the port where it is not the scheme's own.",
    "the host of the request; in mail and webhooks, where the process listens",
  ],
  registryHosts: [
    "Other hosts that clients use. An answer to a request for one of them names that one; any other request is answered with `registryHost`.",
    none,
  ],
  registryTitle: ["The title of the registry on its pages.", '"Plimsoll"'],
  registryContact: ["The e-mail address of the registry's operator.", none],
  registryCompatibility: [
    "`contract` answers as the management API is documented; `reference` answers as the known implementation does where its clients need that.",
    '"contract"',
  ],
  behindTls: ["Whether clients use HTTPS because a proxy before this process serves it.", "false"],
  superusers: ["The names of users who may administer everything."],
  globalReadonlySuperusers: ["The names of users who may read everything and change nothing."],
  features: [
    "Which parts of the registry are on or off. `builds` is on where [buildah](../how-to/build-images.md) can be run and `userCreation` is off.",
  ],
  registryReadOnly: [
    "The registry can be read, and users can sign in. Every other change is rejected (503 of the management API, 405 `DENIED` of `/v2`), and no background work runs.",
    "false",
  ],
  allowedRobots: ["Robots (`NAMESPACE+NAME`) that exist although the feature `robots` is off."],
  browserCallsXhrOnly: ["Whether requests of browsers must have the header `X-Requested-With`."],
  logSignIns: ["Whether the usage log records sign-ins and sign-outs."],
  logFailedSignIns: ["Whether the usage log records failed sign-ins."],
  logRetentionDays: [
    "After how many days entries of the usage log are moved into the blob store, in compressed files; `plimsoll admin archived-logs` prints them.",
    "none: entries stay in the database",
  ],
  createPrivateRepositoryOnPush: ["Whether a repository that a push creates is private."],
  sessionSeconds: ["How long a sign-in of a browser lasts."],
  freshLoginSeconds: ["How long after a sign-in sensitive operations do not ask for the password again."],
  accountsPerAddressPerHour: [
    "How many accounts can be created from one network (an IPv4 address, or 64 bits of an IPv6 address) in an hour, at each node.",
  ],
  appTokenSeconds: ["How long an app token is valid.", "no limit"],
  defaultTagExpirationSeconds: ["How long deleted tags of new namespaces can be restored."],
  maxBlobBytes: ["The largest blob that is accepted."],
  maxManifestBytes: ["The largest manifest that is accepted."],
  maxManifestLayers: [
    "The most layers of an image manifest, and the most manifests of an image index. More are rejected with `MANIFEST_INVALID`.",
  ],
  scanPatienceSeconds: [
    "How long the push of a manifest waits for the scan of its image. A later scan is done in the background. A proxy before the registry must wait as long.",
  ],
  defaultQuotaBytes: [
    "The quota of a namespace that has none of its own. Blobs count, each once for a namespace; manifests do not.",
    "no limit",
  ],
  allowedInternalHosts: ["Internal hosts and networks that mirrors, proxy caches and webhooks may connect to."],
  secretKey: [
    "At least 32 bytes in base64, the same at every node. It encrypts stored secrets and signs tokens.",
    "made at the first start, in `registry-secret` of `data`",
  ],
  storage: ["Where blobs are stored: a folder, or `s3://BUCKET/PREFIX`.", "`blobs` in `data`"],
  s3Endpoint: ["The address of the S3-compatible store.", "the address of Amazon for the region"],
  s3Region: ["The region of the bucket.", '"us-east-1"'],
  s3Addressing: [
    "How requests name the bucket: in the `path` (`https://HOST/BUCKET/KEY`) or as a `virtual-host` (`https://BUCKET.HOST/KEY`).",
    '"path"',
  ],
  s3AccessKeyId: [
    "The id of the access key for the bucket.",
    "what the environment gives: `AWS_ACCESS_KEY_ID`, a role for a web identity (`AWS_ROLE_ARN`), of the container or of the machine",
  ],
  s3SecretAccessKey: ["The secret of that key. Required with `s3AccessKeyId`.", none],
  s3SessionToken: ["The session token of that key, where it is a temporary one.", none],
  s3TimeoutSeconds: ["How long a request to the store may take, with all attempts.", "15"],
  s3Redirect: ["Whether clients are redirected to the store to fetch blobs.", "false"],
  smtpUrl: [
    "The mail server: `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:`. Without one, members are added to teams without an invitation, and e-mail addresses stay unconfirmed.",
    "none: no mail is sent",
  ],
  mailFrom: ["The sender of mail. Required with `smtpUrl`.", none],
  smtpPlain: ["Whether mail may be sent without TLS.", "false"],
  ldapUrl: [
    "The directory that teams are synchronized with, and that users sign in from: `ldap://HOST:PORT`, or `ldaps:`.",
    none,
  ],
  ldapBindDn: ["The name for binding to the directory. Required with `ldapUrl`.", none],
  ldapBindPassword: ["The password of `ldapBindDn`. Required with `ldapUrl`.", none],
  ldapNameAttribute: ["The attribute of a member that is the user's name.", '"uid"'],
  ldapPlain: ["Whether the directory may be used without TLS.", "false"],
  ldapUserBase: [
    "The entry of the directory under which all users are who may sign in. Without it the directory is used for teams only.",
    none,
  ],
  ldapUserFilter: [
    "What a user's entry must match to sign in, with `{login}` for what the user types. It can leave users out.",
    "the name attribute or `mail` is the login",
  ],
  ldapSuperuserFilter: [
    "What the entry of a user must match who is a superuser. It is looked at when the user signs in, and every quarter of an hour.",
    "none: the directory makes no superusers",
  ],
  ldapRestrictedUserFilter: [
    "What the entry of a user must match who makes no organizations and no robots, unless the user is a superuser.",
    "none: the directory restricts no user",
  ],
  ldapCa: [
    "A file with the certificates (PEM) of the authorities that may have signed the directory's certificate.",
    "none: the authorities that Node knows",
  ],
  oidcProviders: [
    "Services that users sign in with by OpenID Connect, each an object: see [sign in with OpenID Connect](../how-to/sign-in-with-oidc.md).",
    none,
  ],
};

/** The defaults as the code has them. */
const knownDefaults: Readonly<Record<string, unknown>> = { ...defaultRegistrySettings, ...defaultServiceSettings };

/** What a setting means. Its example is the default where nothing else is more telling. */
export function meaningOf(name: SettingName): SettingMeaning {
  const [meaning, otherwise] = meanings[name];
  const value = knownDefaults[name];
  return { meaning, default: otherwise ?? shown(value), example: settingExamples[name] ?? value };
}

/** A default as a file would have it; of names with true and false, which is which. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length === 0) return none;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value) ?? "";
  const [on, off] = [true, false].map((is) =>
    Object.entries(value).flatMap(([name, each]) => (each === is ? [name] : [])),
  );
  return `on: ${on?.join(", ")}; off: ${off?.join(", ")}`;
}
