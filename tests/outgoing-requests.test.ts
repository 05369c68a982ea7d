/**
 * Every place that asks other hosts, against addresses of the internal network, names and redirects that lead there, and
 * proxies. A new place needs a row here.
 */
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { parseDigest } from "@plimsoll/core/digest";
import type { ManifestLayer } from "@plimsoll/core/internal";
import { openLayerFetcher } from "@plimsoll/indexer";
import { createFeedReader } from "@plimsoll/matcher";
import { addressGuard, discardBody, type ProxySettings, retryClock } from "@plimsoll/outbound";
import { awsCredentials, createS3BlobStore } from "@plimsoll/registry-adapters/s3";
import { collectBytes, startProxyServer } from "@plimsoll/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openEngineClient } from "../packages/indexer/src/adapters/engine/from-engine.ts";
import { openRegistryClient } from "../packages/indexer/src/adapters/registry/registry-client.ts";
import { openSourceApi } from "../packages/server/src/importing/source-api.ts";
import { openIdentityProviders } from "../packages/server/src/registry/open-identities.ts";
import { openOutgoing } from "../packages/server/src/registry/outgoing.ts";
import { callService } from "../packages/server/src/serve/call-service.ts";
import { watchOutage } from "../packages/server/src/serve/outages.ts";
import { openTransport } from "../packages/server/src/serve/transport.ts";
import { otlpExporter } from "../packages/server/src/tracing/open-tracing.ts";

/** What a request is made with. */
interface Surroundings {
  readonly allowed?: readonly string[];
  readonly lookup?: LookupFunction;
  readonly proxy?: ProxySettings;
}

/** Asks for a document. */
type Ask = (url: URL, surroundings: Surroundings) => Promise<unknown>;

const once = { attempts: 1 };
const noPatience = { ...once, firstDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 };
const digest = parseDigest(`sha256:${"a".repeat(64)}`);

/** Clients name what these ask. */
const guarded: Readonly<Record<string, Ask>> = {
  "packages/indexer/src/adapters/fetch/layer-fetcher.ts": async (url, { allowed = [], ...others }) => {
    const layer: ManifestLayer = { digest, uri: url.href, headers: {} };
    await using fetcher = openLayerFetcher({ guard: addressGuard(allowed), retry: once, ...others });
    await collectBytes(fetcher.fetchLayer(layer));
  },
  // the proxy through which git connects is there, too: `git-proxy.test.ts` is its table
  "packages/server/src/registry/outgoing.ts": async (url, { allowed = [], ...others }) => {
    await using outgoing = openOutgoing({ allowedInternalHosts: allowed, onRefused: () => {}, ...others });
    await outgoing.check(url.hostname);
    await outgoing.send(url.href);
  },
};

/** The operator, or the user at the command line, names what these ask. */
const trusted: Readonly<Record<string, { readonly ask: Ask; readonly usesProxy: boolean }>> = {
  "packages/indexer/src/adapters/engine/from-engine.ts": {
    usesProxy: false,
    ask: async (url) => {
      await using engine = openEngineClient("docker", { kind: "host", url, tls: {} });
      await engine.openArchive("app");
    },
  },
  "packages/indexer/src/adapters/registry/registry-client.ts": {
    usesProxy: true,
    ask: async ({ host }, { proxy }) => {
      const limits = { insecure: [host], connectMs: 5_000, idleMs: 5_000 };
      await using client = openRegistryClient({ ...limits, proxy });
      await discardBody(await client.send({ url: new URL(`http://${host}/v2/`) }));
    },
  },
  "packages/matcher/src/adapters/feed-reader.ts": {
    usesProxy: true,
    ask: async ({ href: location }, { proxy }) => {
      await using reader = createFeedReader({ location, retry: once, proxy });
      await reader.open();
    },
  },
  "packages/registry-adapters/src/blob-stores/aws-credentials.ts": {
    usesProxy: false, // what gives credentials is beside the process, or in its cloud
    ask: async ({ href }) => {
      const find = awsCredentials({ AWS_CONTAINER_CREDENTIALS_FULL_URI: href }, "eu");
      await expect(find()).rejects.toThrow("gave none"); // it was asked, and its answer has no keys
    },
  },
  "packages/registry-adapters/src/blob-stores/s3-client.ts": {
    usesProxy: true,
    ask: async ({ origin: endpoint }, { proxy }) => {
      const keys = { accessKeyId: "id", secretAccessKey: "secret", region: "eu", bucket: "bucket" };
      await createS3BlobStore({ endpoint, ...keys, proxy }).find(digest);
    },
  },
  "packages/server/src/importing/source-api.ts": {
    usesProxy: true,
    ask: async (url, { proxy }) => {
      await using source = openSourceApi({ url, token: "t", proxy, retry: { ...retryClock, ...noPatience } });
      await source.get("/user/");
    },
  },
  "packages/server/src/registry/open-identities.ts": {
    usesProxy: true,
    ask: async ({ origin: issuer }, { proxy }) => {
      await using resources = new AsyncDisposableStack();
      const corp = { service: "corp", title: "Corp", issuer, clientId: "registry" };
      const [provider] = await openIdentityProviders([corp], { proxy }, resources);
      const begun = { state: "s", nonce: "n", codeVerifier: "v", redirectUri: "http://me.example/" };
      await expect(provider?.begin(begun)).rejects.toThrow("could not be used"); // it was asked, and describes itself as none
    },
  },
  "packages/server/src/serve/transport.ts": {
    usesProxy: true,
    ask: async ({ href: target }, { proxy }) => {
      await using resources = new AsyncDisposableStack();
      const parts = { mediaType: "application/json", proxy, clock: { now: () => 0 } };
      const transport = await openTransport({ kind: "webhook", target }, parts, resources);
      const delivery = { id: "00000000-0000-4000-8000-000000000000", callback: "http://me.example/" };
      await transport.deliver(delivery as never, { signal: new AbortController().signal });
    },
  },
  "packages/server/src/tracing/open-tracing.ts": {
    usesProxy: true,
    ask: async ({ href: endpoint }, { proxy }) => {
      const outage = watchOutage({ warn: () => {}, info: () => {} } as never, "traces");
      const { signal } = new AbortController();
      const exporter = otlpExporter({ endpoint, headers: {}, proxy, outage, signal });
      exporter.export([], () => {});
      await exporter.shutdown();
    },
  },
  "packages/server/src/serve/call-service.ts": {
    usesProxy: false,
    ask: async ({ origin }) => {
      await callService({ name: "indexer", addresses: [origin] }, "/", { accept: "*/*", patienceMs: 5_000 });
    },
  },
};

let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.headers.host ?? "");
  if (request.url?.startsWith("/led") !== true) return void response.end("{}");
  response.writeHead(302, { location: "http://10.0.0.1/" }).end();
});
let port = 0;
let here: URL;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ({ port } = server.address() as AddressInfo);
  here = new URL(`http://127.0.0.1:${port}/`);
});
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
});

/** Every name leads to this machine. */
const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]);
const nowhere: LookupFunction = (name, _options, callback) =>
  callback(Object.assign(new Error(name), { code: "ENOTFOUND" }), []);
const noPublicAddress = /not on the public internet|on the public internet; the configuration can allow it/;

describe.each(Object.entries(guarded))("%s", (_, ask) => {
  it.each<[string, () => URL, Surroundings]>([
    ["an internal address", () => here, {}],
    ["an internal address behind a proxy", () => here, { proxy: { httpProxy: "http://127.0.0.1:1", noProxy: "none" } }],
    ["a name that leads to one", () => new URL(`http://outside.example:${port}/`), { lookup }],
    ["a redirect to one", () => new URL("/led", here), { allowed: ["127.0.0.1"] }],
  ])("does not connect to %s", async (_, url, surroundings) => {
    const error: unknown = await ask(url(), surroundings).catch((thrown: unknown) => thrown);

    expect(messagesOf(error)).toMatch(noPublicAddress);
    expect(asked).toEqual(surroundings.allowed === undefined ? [] : [here.host]);
  });

  it("connects to what the configuration allows, by a proxy where there is one", async () => {
    await using proxy = await startProxyServer();
    proxy.lead("outside.example", port);

    await ask(here, { allowed: ["127.0.0.0/8"] });
    await ask(new URL("http://outside.example/"), { lookup: nowhere, proxy: { httpProxy: proxy.url } });

    expect(proxy.requests).toEqual([expect.objectContaining({ line: expect.stringContaining("outside.example") })]);
    expect(asked).toEqual([here.host, "outside.example"]);
  });
});

describe("what the operator names", () => {
  it.each(Object.entries(trusted))("is connected to where it is internal: %s", async (_, { ask }) => {
    await ask(here, {});

    expect(new Set(asked)).toEqual(new Set([here.host]));
  });

  const proxied = Object.entries(trusted).filter(([, { usesProxy }]) => usesProxy);
  it.each(proxied)("is connected to by a proxy where there is one: %s", async (_, { ask }) => {
    await using proxy = await startProxyServer();
    proxy.lead("outside.example", port);

    await ask(new URL("http://outside.example/"), { proxy: { httpProxy: proxy.url, httpsProxy: proxy.url } });

    expect(proxy.requests.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(["outside.example"]));
  });
});

/** These connect to a Unix socket that the user names, and can reach no host. */
const ofThisMachine = ["packages/indexer/src/adapters/containerd/containerd-client.ts"];

it("knows every place that asks other hosts", async () => {
  const places: string[] = [];
  for await (const path of glob("packages/*/src/**/*.ts", { cwd: `${import.meta.dirname}/..` })) {
    if (/\.test\.ts$|\/outbound\/|\/fixtures\//.test(path)) continue;
    const source = readFileSync(`${import.meta.dirname}/../${path}`, "utf8");
    if (/^(?! \*).*(?:openOutbound|openGrpcSocket|startTunnels)\(/m.test(source)) places.push(path); // examples in comments ask no host
  }

  const known = [...Object.keys(guarded), ...Object.keys(trusted), ...ofThisMachine];
  expect(places.sort()).toEqual(known.sort());
});

/**
 * These open connections of their own: to brokers, the directory, the mail server and the database of the settings, which the operator names, and to this
 * process itself. No client chooses their hosts.
 */
const ofOperators = [
  "packages/notifier/src/adapters/connect-amqp.ts",
  "packages/notifier/src/adapters/connect-socket.ts",
  "packages/registry-adapters/src/ldap/ldap-connection.ts",
  "packages/registry-adapters/src/mail.ts",
  "packages/server/src/serve/dependencies.ts",
  "packages/store/src/dialects/postgres.ts",
];

it("knows every place that opens connections of its own", async () => {
  const places: string[] = [];
  for await (const path of glob("packages/*/src/**/*.ts", { cwd: `${import.meta.dirname}/..` })) {
    if (/\.test\.ts$|\/(?:outbound|fixtures|testing)\//.test(path)) continue;
    const source = readFileSync(`${import.meta.dirname}/../${path}`, "utf8");
    const library = /^(?!import type).*(?:from |import\()"(?:amqplib|nodemailer|ldapts|pg)"/m.test(source);
    const opens = /^(?! \*).*(?:\bnew (?:\w+\.)?(?:Client|Pool)\(|createTransport\(|\.connect\()/m.test(source);
    const socket = /^import \{[^}]*\bconnect\b[^}]*\} from "node:(?:net|tls|http2)"/m.test(source);
    if ((library && opens) || socket) places.push(path);
  }

  expect(places.sort()).toEqual(ofOperators);
});

function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${messagesOf(error.cause)}` : "";
}
