import { defaultRegistrySettings } from "@plimsoll/registry-api/settings";
import { defaultServiceSettings } from "./service-settings.ts";
import type { settingKinds } from "./settings.ts";

/** What a setting means, and what holds where it is not set. */
export interface SettingMeaning {
  readonly meaning: string;
  /** In words, or the value itself as JSON. */
  readonly default: string;
}

type SettingName = keyof typeof settingKinds;

/** A sentence; and the default in words, where {@link knownDefaults} does not have it. */
type Meaning = readonly [meaning: string, otherwise?: string];

const none = "none";

const meanings: Readonly<Record<SettingName, Meaning>> = {
  db: ["The advisory database of the command: a file, or `postgres://…`.", "a file in the user's cache folder"],
  offline: ["Never use the network; a service then never updates its feeds.", "false"],
  platform: ["Which image of a multi-platform one: `OS/ARCHITECTURE`, or `all`.", "that of this machine"],
  output: ["How results are written: `FORMAT` or `FORMAT=FILE`.", "table"],
  failOn: ["Findings that end the command with exit code 1: `high+`, `high+,fixable`.", none],
  show: ["Findings that are shown, in the same words.", "all"],
  strict: ["Incomplete results, and advisory data that are missing or old, fail the command.", "false"],
  allowIncomplete: ["`failOn` judges by what could be assessed, and does not fail for what could not.", "false"],
  color: ["When output is coloured.", "auto"],
  maxDbAgeDays: ["Older advisory data are reported, fail a gate, and are refused under `strict`.", "7"],
  feeds: ["Where feeds are fetched from, by the feed's name: an address or a file.", "the feeds' own places"],
  mirrors: ["Registries that are asked before another, by the other's host.", none],
  insecureRegistries: [
    "Registries that may be spoken to without TLS, or with any certificate.",
    "none but this machine",
  ],
  httpProxy: [
    "The proxy for http addresses of layers, feeds, webhooks, S3 and hosts that clients name.",
    "`HTTP_PROXY`",
  ],
  httpsProxy: ["The same for https addresses.", "`HTTPS_PROXY`, then `httpProxy`"],
  noProxy: ["Hosts that are reached without a proxy: `host`, `.domain`, `host:port`, with commas.", "`NO_PROXY`"],
  data: ["The folder in which a service keeps what it knows.", "in the user's data folder"],
  database: ["The database of a service: `sqlite:PATH` or `postgres://USER@HOST/DATABASE`.", "a file in `data`"],
  databasePoolSize: ["Connections of a process to PostgreSQL at most."],
  databaseConnectSeconds: ["How long a request waits for a connection to PostgreSQL."],
  databaseStatementSeconds: ["How long a statement may run on PostgreSQL."],
  databaseLockSeconds: ["How long a statement on PostgreSQL waits for a lock that another has."],
  databaseWaitSeconds: ["How long starting waits for a PostgreSQL server that does not run yet."],
  host: ["The address to listen on."],
  port: ["The port of the API; 0 is any that is free."],
  healthPort: ["The port of `/healthz`, `/readyz` and `/metrics`.", "the one after `port`"],
  mode: ["What a process is, some of the modes.", "all"],
  vendor: ["The vendor segment of media types and headers of the scanner API."],
  compatibility: ["Whom the scanner API pleases: the documented API, or clients of the known implementation."],
  authKey: [
    "The key, in base64, that tokens of clients of the scanner API are signed with.",
    "none: no token is asked for",
  ],
  authIssuers: ["Who may have signed such a token: its `iss`.", none],
  indexSlots: ["Images that are indexed at the same time."],
  indexLeaseSeconds: ["How long an image stays undone on SQLite whose indexing died with its process."],
  maxBodyBytes: ["The largest body of a request to the scanner API."],
  reportCacheSeconds: ["How long a client may take a vulnerability report from its cache."],
  updatePeriodSeconds: ["How often feeds are updated.", "21600; never with `offline`"],
  updateRetention: ["How many update operations of each updater are kept; no difference is told against older ones."],
  updaters: ["The updaters that run, by name.", "all"],
  feedMaxAgeDays: ["From which age on a feed counts as outdated."],
  layerNetworks: ["Internal addresses and networks that layers may come from."],
  layerConnectSeconds: ["How long connecting to the server of a layer may take."],
  layerIdleSeconds: ["How long the server of a layer may send nothing."],
  layerTotalSeconds: ["How long one layer may take, with all attempts."],
  layerThreads: [
    "Layers that are read at the same time, each in a thread of its own.",
    "twice the processors, at least 4; fewer where the memory that is available has no room for so many times `layerHeapMegabytes`",
  ],
  layerCpuSeconds: ["Processor time that reading one layer may take."],
  layerHeapMegabytes: ["Memory for objects that reading one layer may take."],
  limits: [
    "What an image may cost, where that is not the engine's own limit. A layer with more packages than maxFindings is refused.",
    "the engine's limits; maxFindings is 10000",
  ],
  indexerAddress: ["Where the indexer is, in a process that is none: one address or several, with commas.", none],
  matcherAddress: ["Where the matcher is, in a process that is none: one address or several, with commas.", none],
  notificationCallback: ["Where a receiver finds the notifications of a set: the address before the set's id.", none],
  notificationMode: ["Whether an image's worst vulnerability is told, or all.", "summary"],
  pollPeriodSeconds: ["How often the notifier looks for new advisories.", "21600"],
  webhookTarget: ["The address that is called when there are notifications.", "none: nothing is called"],
  webhookHeaders: ["Headers of each such call: lists of values by name.", none],
  amqpUris: ["AMQP brokers that are told, the first that can be reached.", none],
  amqpExchange: ["The exchange that notifications go to.", none],
  amqpExchangeType: ["What the exchange is declared as.", "it is only looked for"],
  amqpExchangeDurable: ["Whether the exchange that is declared outlives the broker.", "true"],
  amqpExchangeAutoDelete: ["Whether the exchange that is declared is deleted with its last binding.", "false"],
  amqpRoutingKey: ["The routing key of notifications.", none],
  stompAddresses: ["STOMP brokers that are told, each `HOST:PORT`.", none],
  stompDestination: ["The destination that notifications go to.", none],
  stompLogin: ["The name that the STOMP broker knows us by.", none],
  stompPasscode: ["The password for it.", none],
  stompTls: ["Whether the STOMP broker speaks TLS.", "false"],
  brokerCa: ["A file of certificates in PEM: who is trusted to be the broker.", "the system's authorities"],
  brokerCertificate: ["A file with the certificate in PEM that the broker is shown, with its chain.", none],
  brokerKey: ["The file of the key of that certificate, in PEM.", none],
  directRollup: ["How many notifications a message to the broker has.", "messages name where they are"],
  trustedProxies: [
    "Addresses and networks of proxies whose headers are believed about the client, the host and the scheme.",
  ],
  scannerPort: ["The scanner API beside a registry for programs of this machine, on 127.0.0.1, without a key.", none],
  drainSeconds: ["How long a process that is told to stop still answers, while it says that it is not ready."],
  jobLeaseSeconds: ["After how long without a sign of life another process takes over the work of one that died."],
  tlsCertificate: ["The certificate chain in PEM, to speak HTTPS.", "none: HTTP is spoken"],
  tlsKey: ["The file of the key of that certificate, in PEM.", none],
  tracesEndpoint: [
    "Where trace spans are sent, by OTLP over HTTP in JSON: `http://HOST:4318/v1/traces`.",
    "`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, then `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces`; without any, nothing is traced",
  ],
  tracesHeaders: [
    "Headers of each such request, by name.",
    "`OTEL_EXPORTER_OTLP_TRACES_HEADERS`, then `OTEL_EXPORTER_OTLP_HEADERS`",
  ],
  tracesSampleRatio: ["The share of traces that are sent, from 0 to 1, where the caller has not decided.", "1"],
  logLevel: ["How much is logged."],
  accessLog: ["Whether each answered request is a line of the log, at the level `info`."],
  registryHost: [
    "What clients call the registry, with the port where it is not the scheme's.",
    "the host of the request",
  ],
  registryHosts: ["Other names under which clients come: answers name the one that the request did.", none],
  registryTitle: ["What the registry calls itself.", '"Plimsoll"'],
  registryContact: ["The e-mail address of who runs the registry.", none],
  registryCompatibility: ["Whom the management API pleases.", '"contract"'],
  behindTls: ["Whether clients come by HTTPS although this process does not speak it.", "false"],
  superusers: ["User names of who may administer everything."],
  globalReadonlySuperusers: ["User names of who may see everything and change nothing."],
  features: ["Parts of the registry that are on or off."],
  registryReadOnly: ["The registry can be read and takes no changes, and nothing happens in its background.", "false"],
  allowedRobots: ["Robots, `NAMESPACE+NAME`, that there may be although the feature `robots` is off."],
  browserCallsXhrOnly: ["Whether calls of browsers must carry `X-Requested-With`."],
  logSignIns: ["Whether the usage log tells who signs in and out."],
  logFailedSignIns: ["Whether the usage log tells who fails to sign in."],
  createPrivateRepositoryOnPush: ["Whether a repository that a push makes is private."],
  sessionSeconds: ["How long a sign-in of a browser lasts."],
  freshLoginSeconds: ["How long after a sign-in sensitive operations need no password."],
  accountsPerAddressPerHour: ["How many accounts can be made from one network in an hour, at each node."],
  appTokenSeconds: ["How long an app token lasts.", "for ever"],
  defaultTagExpirationSeconds: ["How long removed tags can be restored in new namespaces."],
  maxBlobBytes: ["The largest blob."],
  maxManifestBytes: ["The largest manifest."],
  maxManifestLayers: ["How many layers an image manifest may have, and how many manifests an image index."],
  scanPatienceSeconds: ["How long the push of a manifest waits until its image is scanned."],
  defaultQuotaBytes: ["What a namespace may use that has no quota of its own.", "no limit"],
  allowedInternalHosts: ["Internal hosts and networks that mirrors, proxy caches and webhooks may speak to."],
  secretKey: ["At least 32 bytes in base64, the same at every node: what secrets are sealed with.", "made in `data`"],
  storage: ["Where blobs are: a folder, or `s3://BUCKET/PREFIX`.", "`blobs` in `data`"],
  s3Endpoint: ["The address of the S3 store.", "that of Amazon for the region"],
  s3Region: ["The region of the bucket.", '"us-east-1"'],
  s3AccessKeyId: ["The id of the key for the bucket.", none],
  s3SecretAccessKey: ["The secret of that key.", none],
  s3TimeoutSeconds: ["How long the store has for an answer, with all attempts.", "15"],
  s3Redirect: ["Whether clients fetch blobs from the store itself.", "false"],
  smtpUrl: ["Who sends mail: `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:`.", "none: no mail is sent"],
  mailFrom: ["The sender of mail.", none],
  smtpPlain: ["Whether mail may be sent without TLS.", "false"],
  ldapUrl: ["The directory that teams are synchronized with: `ldap://HOST:PORT`, or `ldaps:`.", none],
  ldapBindDn: ["The name that the directory knows us by.", none],
  ldapBindPassword: ["The password for it.", none],
  ldapNameAttribute: ["The attribute of a member that is the user name.", '"uid"'],
  ldapPlain: ["Whether the directory may be asked without TLS.", "false"],
};

/** The defaults as the code has them. */
const knownDefaults: Readonly<Record<string, unknown>> = { ...defaultRegistrySettings, ...defaultServiceSettings };

/** What a setting means. */
export function meaningOf(name: SettingName): SettingMeaning {
  const [meaning, otherwise] = meanings[name];
  return { meaning, default: otherwise ?? shown(knownDefaults[name]) };
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
