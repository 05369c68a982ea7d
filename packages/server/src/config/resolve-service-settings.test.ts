import { describe, expect, it } from "vitest";
import { readServiceSettings, resolveServiceSettings, type ServiceFlags } from "./resolve-service-settings.ts";
import { settingsOfFile } from "./settings.ts";

const resolve = (flags: ServiceFlags, env: Record<string, string> = {}, file: object = {}) =>
  resolveServiceSettings(flags, settingsOfFile("plimsoll.json", file), { env: { HOME: "/home/u", ...env } });
const callback = { PLIMSOLL_NOTIFICATION_CALLBACK: "https://s.example/notifier/api/v1/notification/" };

const oidc = { service: "corp", issuer: "https://id.example", clientId: "registry", clientSecret: "s3cret" };
const ldap = { ldapUrl: "ldap://directory.example", ldapBindDn: "cn=registry", ldapBindPassword: "3kTMd1" };

describe("resolveServiceSettings", () => {
  it("has defaults for everything", () => {
    expect(resolve({})).toMatchObject({
      host: "127.0.0.1",
      port: 6060,
      healthPort: 6061,
      modes: ["all"],
      vendor: "scanner",
    });
    expect(resolve({}).database).toMatch(/^sqlite:.*plimsoll\.db$/);
    expect(resolve({})).not.toHaveProperty("auth");
  });

  it("prefers flags to the environment", () => {
    const env = { PLIMSOLL_PORT: "1", PLIMSOLL_HOST: "::1", PLIMSOLL_MODE: "indexer matcher" };

    expect(resolve({ port: "0" }, env)).toMatchObject({
      port: 0,
      healthPort: 0,
      host: "::1",
      modes: ["indexer", "matcher"],
    });
    expect(resolve({ mode: ["notifier"], data: "/d" }, env)).toMatchObject({
      modes: ["notifier"],
      database: "sqlite:/d/plimsoll.db",
    });
  });

  it.each(["postgres:/u:sesame@db/plimsoll", '"postgres://u:sesame@db/plimsoll"', "sqlite3:sesame"])(
    "refuses the database %s without its text",
    (database) => {
      const resolved = () => resolve({ database });

      expect(resolved).toThrow(/^database: expected sqlite:PATH, a path or postgres:\/\//);
      expect(resolved).not.toThrow(/sesame/);
    },
  );

  it.each<[ServiceFlags, Record<string, string>, readonly string[]]>([
    [{ mode: ["indexer,matcher"] }, {}, ["indexer", "matcher"]],
    [{ mode: ["indexer", "matcher,notifier"] }, {}, ["indexer", "matcher", "notifier"]],
    [{ mode: ["indexer", "indexer"] }, {}, ["indexer"]],
    [{}, { PLIMSOLL_MODE: "notifier, indexer" }, ["indexer", "notifier"]],
  ])("takes the modes of %j and %j", (flags, env, modes) => {
    expect(resolve(flags, env).modes).toEqual(modes);
  });

  it.each(["indexer,notifier", ["indexer", "notifier"], ["indexer,notifier"]])(
    "reads the modes %j of a file",
    (mode) => {
      expect(resolve({}, {}, { mode }).modes).toEqual(["indexer", "notifier"]);
    },
  );

  it("reads several addresses of a service", () => {
    const { indexerAddress } = resolve({}, { PLIMSOLL_INDEXER_ADDRESS: "http://a:6060, http://b:6060/" });

    expect(indexerAddress).toEqual(["http://a:6060", "http://b:6060"]);
  });

  it.each<[ServiceFlags, Record<string, string>, object | undefined]>([
    [{}, {}, undefined],
    [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "" }, undefined],
    [
      {},
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/", OTEL_EXPORTER_OTLP_HEADERS: "a=b%20c, d=e" },
      { endpoint: "http://c:4318/v1/traces", headers: { a: "b c", d: "e" }, sampleRatio: 1 },
    ],
    [
      {},
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t:4318/own",
        OTEL_EXPORTER_OTLP_HEADERS: "a=b",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "c=d",
      },
      { endpoint: "http://t:4318/own", headers: { c: "d" }, sampleRatio: 1 },
    ],
    [
      { tracesEndpoint: "https://own/x", tracesSampleRatio: "0.25" },
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t:4318", PLIMSOLL_TRACES_HEADERS: '{"k": "v"}' },
      { endpoint: "https://own/x", headers: { k: "v" }, sampleRatio: 0.25 },
    ],
  ])("sends traces by %j and %j", (flags, env, traces) => {
    expect(resolve(flags, env).traces).toEqual(traces);
  });

  it("rejects a trusted proxy that is not a network", () => {
    expect(() => resolve({}, { PLIMSOLL_TRUSTED_PROXIES: "10.0.0.0/8 proxy" })).toThrow("trustedProxies");
  });

  it("puts the registry's files into the data folder", () => {
    expect(resolve({ data: "/d" }).registry).toMatchObject({
      secretFile: "/d/registry-secret",
      storage: { kind: "files", folder: "/d/blobs" },
      settings: { scheme: "http", superusers: [], features: { quotas: true } },
    });
  });

  it.each([
    ["PLIMSOLL_REGISTRY_HOST", "r.example,other.example", /^PLIMSOLL_REGISTRY_HOST: expected HOST or HOST:PORT, found/],
    [
      "PLIMSOLL_REGISTRY_HOSTS",
      "r.example https://b",
      /^PLIMSOLL_REGISTRY_HOSTS: expected a list of hosts, each HOST or/,
    ],
  ])("names the variable %s if its value %j is wrong", (name, value, message) => {
    expect(() => resolve({}, { [name]: value })).toThrow(message);
  });

  it("takes lists of names that are separated by spaces or commas", () => {
    const env = { PLIMSOLL_SUPERUSERS: "root,admin", PLIMSOLL_TRUSTED_PROXIES: "10.0.0.0/8, 192.168.0.0/16" };

    const { registry, trustedProxies } = resolve({}, env);

    expect(registry?.settings.superusers).toEqual(["root", "admin"]);
    expect(trustedProxies).toHaveLength(2);
  });

  it.each(["a.example b.example:81", "a.example,b.example:81", " a.example, b.example:81 "])(
    "takes the hosts %j",
    (value) => {
      const { settings } = resolve({}, { PLIMSOLL_REGISTRY_HOSTS: value }).registry ?? {};

      expect(settings).toMatchObject({ host: "a.example", hosts: ["a.example", "b.example:81"] });
    },
  );

  it("reads the registry's settings from a file and the environment", () => {
    const key = Buffer.alloc(32, 1).toString("base64");
    const env = { PLIMSOLL_SECRET_KEY: key, PLIMSOLL_SUPERUSERS: "root admin", PLIMSOLL_FEATURES: '{"builds":false}' };
    const s3 = { storage: "s3://bucket/some/", s3Region: "eu-1", s3AccessKeyId: "id", s3SecretAccessKey: "secret" };

    const { registry } = resolve({}, env, { registryHost: "r.example:5000", behindTls: true, ...s3 });

    expect(registry).toMatchObject({
      settings: { host: "r.example:5000", scheme: "https", superusers: ["root", "admin"] },
      storage: { kind: "s3", bucket: "bucket", prefix: "some", endpoint: "https://s3.eu-1.amazonaws.com" },
    });
    expect(registry?.settings.features).toMatchObject({ builds: false, quotas: true });
    expect(registry?.secretKey).toHaveLength(32);
  });

  it.each([
    [{ registryHost: "https://r.example" }, "registryHost: expected HOST or HOST:PORT"],
    [
      { registryHosts: ["r.example", "r.example/a"] },
      "registryHosts: expected a list of hosts, each HOST or HOST:PORT",
    ],
    [{ secretKey: "c2hvcnQ=" }, "secretKey: expected at least 32 bytes"],
    [{ storage: "gs://bucket" }, "storage: expected a folder or s3://BUCKET/PREFIX"],
    [{ storage: "s3://bucket/a b" }, "storage: expected a folder or s3://BUCKET/PREFIX"],
    [{ storage: "s3://bucket", s3SecretAccessKey: "secret" }, "s3AccessKeyId is missing"],
    [{ storage: "s3://bucket", s3AccessKeyId: "id" }, "s3SecretAccessKey is missing"],
    [{ storage: "s3://bucket", s3SessionToken: "token" }, "s3AccessKeyId is missing"],
    [{ smtpUrl: "mail.example" }, "smtpUrl: expected smtp://"],
    [{ smtpUrl: "smtp://mail.example" }, "mailFrom is missing"],
    [{ ldapUrl: "ldap://directory.example" }, "ldapBindDn is missing"],
    [{ ...ldap, ldapUserFilter: "(uid={login})" }, "ldapUserBase is missing"],
    [{ ...ldap, ldapUserBase: "dc=example", ldapUserFilter: "(uid=alice)" }, "ldapUserFilter: expected"],
    [{ ...ldap, ldapUserBase: "dc=example", ldapUserFilter: "uid={login}" }, "ldapUserFilter: expected"],
    [{ ...ldap, ldapUserBase: "dc=example", ldapUserFilter: "(uid={login})(sn=C)" }, "ldapUserFilter: expected one"],
    [{ ...ldap, ldapSuperuserFilter: "(sn=C)" }, "ldapUserBase is missing"],
    [{ ...ldap, ldapUserBase: "dc=example", ldapSuperuserFilter: "sn=C" }, "ldapSuperuserFilter: expected one"],
    [
      { ...ldap, ldapUserBase: "dc=example", ldapRestrictedUserFilter: "(sn=C" },
      "ldapRestrictedUserFilter: expected one",
    ],
    [{ oidcProviders: {} }, "oidcProviders: expected a list of objects"],
    [{ oidcProviders: [{ ...oidc, service: "ldap" }] }, "oidcProviders[0].service: expected a name"],
    [{ oidcProviders: [oidc, oidc] }, "corp occurs twice"],
    [
      { oidcProviders: [{ ...oidc, issuer: "http://id.example" }] },
      "oidcProviders[0].issuer: expected an https:// address",
    ],
    [{ oidcProviders: [{ ...oidc, issuer: "https://id.example?a" }] }, "issuer: expected an https:// address"],
    [{ oidcProviders: [{ ...oidc, clientId: undefined }] }, "oidcProviders[0].clientId"],
    [{ oidcProviders: [{ ...oidc, clientSecretFile: "f" }] }, "expected clientSecret or clientSecretFile, not both"],
    [{ oidcProviders: [{ ...oidc, superuserGroups: ["a"] }] }, "groupsClaim is missing: superuserGroups needs it"],
    [{ oidcProviders: [{ ...oidc, groupClaim: "a" }] }, 'unknown member "groupClaim"; did you mean groupsClaim?'],
    [{ oidcProviders: [{ ...oidc, scopes: "a" }] }, "oidcProviders[0].scopes: expected a list of strings"],
    [{ features: { flying: true } }, 'features: there is no member "flying"; did you mean'],
  ])("refuses %j", (file, message) => {
    expect(() => resolve({}, {}, file)).toThrow(message);
  });

  it("reads identity providers from the environment, and shows none of their secrets in messages", () => {
    const env = { PLIMSOLL_OIDC_PROVIDERS: JSON.stringify([{ ...oidc, issuer: "http://127.0.0.1:1" }]) };

    const { registry } = resolve({}, env);
    const refused = () => resolve({}, { PLIMSOLL_OIDC_PROVIDERS: '[{"clientSecret":"s3cret"},3]' });

    expect(registry?.oidcProviders).toMatchObject([
      { title: "corp", scopes: ["profile", "email"], clientSecret: "s3cret" },
    ]);
    expect(refused).toThrow("PLIMSOLL_OIDC_PROVIDERS");
    expect(refused).not.toThrow("s3cret");
  });

  it("reads the limits and networks of builds", () => {
    const env = { PLIMSOLL_BUILD_LIMITS: '{"processes":500}', PLIMSOLL_BUILD_NETWORK: "none" };

    expect(resolve({}, env).registry?.imageBuilds).toMatchObject({ buildLimits: { processes: 500 }, network: "none" });
    expect(() => resolve({}, { PLIMSOLL_BUILD_LIMITS: '{"bytes":500}' })).toThrow(
      'PLIMSOLL_BUILD_LIMITS: there is no member "bytes"',
    );
  });

  it("reads limits and times of layers", () => {
    const env = { PLIMSOLL_LIMITS: '{"maxLayers":5}', PLIMSOLL_LAYER_TOTAL_SECONDS: "60" };
    const limits = { maxLayers: 5 };

    expect(resolve({}, env)).toMatchObject({ limits, layerTotalSeconds: 60, layerIdleSeconds: 30 });
    expect(resolve({}, {}, { limits }).limits).toEqual(limits);
  });

  it("reads how long an image that killed a process is not retried", () => {
    expect(resolve({}).indexLeaseSeconds).toBe(30);
    expect(resolve({}, { PLIMSOLL_INDEX_LEASE_SECONDS: "2" }).indexLeaseSeconds).toBe(2);
  });

  it("prefers proxies of the settings to those of the environment", () => {
    const env = { HTTP_PROXY: "http://a:1", https_proxy: "http://b:1", NO_PROXY: "x" };

    expect(resolve({})).not.toHaveProperty("proxy");
    expect(resolve({}, { NO_PROXY: "x" })).not.toHaveProperty("proxy");
    expect(resolve({}, { http_proxy: "proxy:1" }).proxy).toEqual({ httpProxy: "http://proxy:1" });
    expect(resolve({}, env).proxy).toEqual({ httpProxy: "http://a:1", httpsProxy: "http://b:1", noProxy: "x" });
    expect(resolve({}, { ...env, PLIMSOLL_HTTPS_PROXY: "http://c:1", PLIMSOLL_NO_PROXY: "y" }).proxy).toEqual({
      httpProxy: "http://a:1",
      httpsProxy: "http://c:1",
      noProxy: "y",
    });
  });

  it("never updates feeds offline", () => {
    expect(resolve({}).updatePeriodSeconds).toBe(21_600);
    expect(resolve({}, { PLIMSOLL_OFFLINE: "1" })).not.toHaveProperty("updatePeriodSeconds");
  });

  it("decodes the key", () => {
    const env = { PLIMSOLL_AUTH_KEY: "c2VjcmV0", PLIMSOLL_AUTH_ISSUERS: "quay other" };

    expect(resolve({}, env).auth).toEqual({ key: Buffer.from("secret"), issuers: ["quay", "other"] });
  });

  it.each([
    [{ PLIMSOLL_WEBHOOK_TARGET: "https://r.example/hook" }, { kind: "webhook", target: "https://r.example/hook" }],
    [
      {
        PLIMSOLL_WEBHOOK_TARGET: "https://r.example/hook",
        PLIMSOLL_WEBHOOK_HEADERS: '{"X-Team": ["a", "b"], "X-Key": ["open sesame"]}',
      },
      {
        kind: "webhook",
        target: "https://r.example/hook",
        headers: { "X-Team": ["a", "b"], "X-Key": ["open sesame"] },
      },
    ],
    [
      {
        PLIMSOLL_AMQP_URIS: "amqps://a",
        PLIMSOLL_AMQP_ROUTING_KEY: "k",
        PLIMSOLL_AMQP_EXCHANGE: "e",
        PLIMSOLL_AMQP_EXCHANGE_TYPE: "topic",
        PLIMSOLL_AMQP_EXCHANGE_AUTO_DELETE: "true",
        PLIMSOLL_BROKER_CERTIFICATE: "client.pem",
        PLIMSOLL_BROKER_KEY: "client.key",
      },
      {
        kind: "amqp",
        uris: ["amqps://a"],
        exchange: "e",
        declare: { type: "topic", durable: true, autoDelete: true },
        routingKey: "k",
        client: { certificate: "client.pem", key: "client.key" },
      },
    ],
    [
      { PLIMSOLL_AMQP_URIS: "amqp://a amqp://b", PLIMSOLL_AMQP_ROUTING_KEY: "k", PLIMSOLL_DIRECT_ROLLUP: "5" },
      { kind: "amqp", uris: ["amqp://a", "amqp://b"], exchange: "", routingKey: "k", direct: { rollup: 5 } },
    ],
    [
      {
        PLIMSOLL_STOMP_ADDRESSES: "a:1",
        PLIMSOLL_STOMP_DESTINATION: "/queue/q",
        PLIMSOLL_STOMP_LOGIN: "u",
        PLIMSOLL_STOMP_PASSCODE: "p",
        PLIMSOLL_STOMP_TLS: "1",
      },
      { kind: "stomp", addresses: ["a:1"], destination: "/queue/q", user: { login: "u", passcode: "p" }, tls: true },
    ],
  ])("delivers as %j says", (env, delivery) => {
    const { notifications } = resolve({}, { ...callback, ...env });

    expect(notifications).toEqual({
      callback: "https://s.example/notifier/api/v1/notification",
      mode: "summary",
      pollPeriodSeconds: 21_600,
      delivery,
    });
  });

  it("shows no secret", () => {
    expect(() => resolve({}, { PLIMSOLL_AUTH_KEY: "pass word" })).not.toThrow("pass");
    expect(() => resolve({}, { PLIMSOLL_AUTH_KEY: "pass word" })).toThrow("PLIMSOLL_AUTH_KEY");
    expect(() => resolve({}, { HTTP_PROXY: "ftp://user:pass@proxy:1" })).not.toThrow("pass");
  });

  it.each<[ServiceFlags, Record<string, string>, string]>([
    [{ port: "x" }, {}, "--port: expected a port number"],
    [{ port: "65536" }, {}, "--port: expected a port number"],
    [{ mode: ["other"] }, {}, "--mode: expected some of all, indexer, matcher, notifier"],
    [{ mode: [","] }, {}, "--mode: expected some of all, indexer, matcher, notifier"],
    [{}, { PLIMSOLL_MODE: "indexer;matcher" }, "PLIMSOLL_MODE: expected some of"],
    [{}, { PLIMSOLL_LIMITS: '{"maxLayers":0}' }, "PLIMSOLL_LIMITS: maxLayers: expected a whole number above 0"],
    [{}, { PLIMSOLL_LIMITS: '{"other":1}' }, 'PLIMSOLL_LIMITS: there is no member "other"; did you mean'],
    [{}, { PLIMSOLL_LAYER_IDLE_SECONDS: "0" }, "PLIMSOLL_LAYER_IDLE_SECONDS: expected a whole number above 0"],
    [{}, { PLIMSOLL_HTTP_PROXY: "proxy:1" }, "PLIMSOLL_HTTP_PROXY: expected a proxy's address, http://HOST:PORT"],
    [{}, { HTTPS_PROXY: "ftp://proxy:1" }, "HTTPS_PROXY: expected a proxy's address, http://HOST:PORT"],
    [{ vendor: "A B" }, {}, "vendor: expected lower-case letters"],
    [{ indexerAddress: "indexer:6060" }, {}, "indexerAddress: expected http://HOST:PORT"],
    [{ tlsKey: "k" }, {}, "tlsCertificate and tlsKey: expected both"],
    [{}, { PLIMSOLL_AUTH_KEY: "?" }, "PLIMSOLL_AUTH_KEY: expected standard base64"],
    [{}, { PLIMSOLL_AUTH_KEY: "c2VjcmV0" }, "authIssuers is missing"],
    [{}, { PLIMSOLL_AUTH_ISSUERS: "quay" }, "authKey is missing"],
    [{}, { PLIMSOLL_WEBHOOK_TARGET: "http://r" }, "notificationCallback: expected http"],
    [{}, { ...callback, PLIMSOLL_AMQP_URIS: "amqp://a" }, "amqpRoutingKey is missing"],
    [
      {},
      { ...callback, PLIMSOLL_WEBHOOK_TARGET: "http://r", PLIMSOLL_AMQP_URIS: "a", PLIMSOLL_AMQP_ROUTING_KEY: "k" },
      "expected webhook or amqp, found both",
    ],
    [
      { webhookTarget: "http://a" },
      { PLIMSOLL_WEBHOOK_HEADERS: '{"Content-Type": ["a"]}' },
      "the service sets Content-Type itself",
    ],
    [
      { webhookTarget: "http://a" },
      { PLIMSOLL_WEBHOOK_HEADERS: '{"a b": ["c"]}' },
      "webhookHeaders: expected header names",
    ],
    [
      { amqpUris: "amqp://a", amqpRoutingKey: "k" },
      { PLIMSOLL_BROKER_KEY: "k.pem" },
      "brokerCertificate and brokerKey go together",
    ],
    [
      { amqpUris: "amqp://a", amqpRoutingKey: "k" },
      { PLIMSOLL_AMQP_EXCHANGE_TYPE: "fanout" },
      "the default exchange cannot be declared",
    ],
    [
      { amqpUris: "amqp://a", amqpRoutingKey: "k", amqpExchange: "e" },
      { PLIMSOLL_AMQP_EXCHANGE_DURABLE: "true" },
      "amqpExchangeType is missing",
    ],
    [{ tracesEndpoint: "collector:4318" }, {}, "tracesEndpoint: expected http://HOST:PORT/PATH"],
    [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://c" }, "OTEL_EXPORTER_OTLP_ENDPOINT: expected http://HOST:PORT/PATH"],
    [{ tracesEndpoint: "http://u:p@c/" }, {}, "without a user name and a password"],
    [{ tracesSampleRatio: "0.5" }, {}, "tracesSampleRatio without tracesEndpoint"],
    [
      { tracesEndpoint: "http://c", tracesSampleRatio: "1.5" },
      {},
      "--traces-sample-ratio: expected a number from 0 to 1",
    ],
    [
      { tracesEndpoint: "http://c" },
      { PLIMSOLL_TRACES_HEADERS: '{"Host": "c"}' },
      "tracesHeaders: the service sets Host itself",
    ],
    [
      { tracesEndpoint: "http://c" },
      { OTEL_EXPORTER_OTLP_HEADERS: "sesame" },
      "OTEL_EXPORTER_OTLP_HEADERS: expected NAME=VALUE,NAME=VALUE",
    ],
  ])("refuses %j and %j", (flags, env, message) => {
    expect(() => resolve(flags, env)).toThrow(message);
  });
});

describe("readServiceSettings", () => {
  it("reports the source of every setting", async () => {
    const env = { HOME: "/home/u", PLIMSOLL_CONFIG: "", PLIMSOLL_LOG_LEVEL: "warn" };

    const { registry } = await readServiceSettings({ port: "1" }, { env });

    const given = registry?.inForce?.filter(({ source }) => source !== "default");
    expect(given?.map(({ name, source, value }) => [name, source, value])).toEqual([
      ["port", "flag", "1"],
      ["logLevel", "environment", '"warn"'],
    ]);
  });
});
