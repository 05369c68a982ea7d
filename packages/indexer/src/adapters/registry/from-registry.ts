import { ScanError } from "@plimsoll/core";
import { formatImageReference, type ImageReference, type ImageSource, parseImageReference } from "@plimsoll/core/image";
import { findImages, withoutUndefined } from "@plimsoll/core/internal";
import {
  type HostTls,
  type OutboundPolicy,
  type ProxySettings,
  type RetryPolicy,
  retryClock,
} from "@plimsoll/outbound";
import { anonymous, type CredentialSource } from "./credentials.ts";
import { type Endpoint, openEndpoint } from "./endpoint.ts";
import { mayUsePlainHttp } from "./plain-http.ts";
import { openRegistryClient, type RegistryClient } from "./registry-client.ts";
import { openRegistryStore } from "./registry-store.ts";

/** Options of requests to registries. */
export interface RegistryOptions {
  /** Never use the network: opening the source fails. */
  readonly offline?: boolean;
  /** Default: requests are anonymous. */
  readonly credentials?: CredentialSource;
  /** Mirrors that are tried before the registry itself, by registry: `{ "docker.io": ["http://mirror.internal:5000"] }`. */
  readonly mirrors?: Readonly<Record<string, readonly string[]>>;
  /** Hosts for which plain HTTP and any certificate are allowed. Loopback hosts never need TLS. */
  readonly insecure?: readonly string[];
  /** CA certificates to trust instead of the platform's, in PEM. */
  readonly ca?: string;
  /** Certificates for one host, which includes its port. They take precedence over `ca`. */
  readonly certificates?: (host: string) => HostTls | undefined;
  readonly proxy?: ProxySettings;
  /** The addresses that may be connected to. Default: all. Use a guarded policy for registries that clients may name. */
  readonly policy?: OutboundPolicy;
  /** The addresses that the proxy may have. Default: all. Use a guarded policy for proxies that clients may name. */
  readonly proxyPolicy?: OutboundPolicy;
  readonly timeouts?: Partial<RegistryTimeouts>;
  readonly retry?: Partial<RetryPolicy>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** Time limits of requests, in milliseconds. */
export interface RegistryTimeouts {
  /** For opening a connection. */
  readonly connectMs: number;
  /** Between two chunks of a response. */
  readonly idleMs: number;
  /** For one document, including all attempts. */
  readonly documentMs: number;
  /** For one layer, including all attempts. */
  readonly layerMs: number;
}

const defaultTimeouts: RegistryTimeouts = {
  connectMs: 10_000,
  idleMs: 30_000,
  documentMs: 120_000,
  layerMs: 3_600_000,
};
const defaultRetry: RetryPolicy = {
  attempts: 5,
  firstDelayMs: 250,
  maxDelayMs: 10_000,
  maxRetryAfterMs: 60_000,
  ...retryClock,
};

/** The API hosts of registries that have another name. */
const apiHosts: ReadonlyMap<string, string> = new Map([["docker.io", "registry-1.docker.io"]]);

/**
 * The source of an image in a registry. Layers are pulled while they are read.
 * @param reference as users write it: `nginx:1.27`
 * @throws ScanError `unsupported_source`, `malformed_digest` for a malformed reference
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pull
 * @example
 * const source = fromRegistry("docker.io/library/nginx:1.27", { credentials: hostCredentials(hostEnvironment()) });
 */
export function fromRegistry(reference: string, options: RegistryOptions = {}): ImageSource {
  const parsed = parseImageReference(reference);
  const name = formatImageReference(parsed);
  return {
    name,
    open: async (opening) => {
      const { client, endpoints, timeouts, retry } = await connectRegistry(parsed, options);
      try {
        const store = openRegistryStore({
          endpoints,
          retry,
          documentTimeoutMs: timeouts.documentMs,
          layerTimeoutMs: timeouts.layerMs,
          signal: opening.signal,
        });
        const images = await findImages([await store.findRoot(parsed)], store, { choice: opening, reference: name });
        return { images, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
      } catch (error) {
        await client[Symbol.asyncDispose]();
        throw error;
      }
    },
  };
}

/** An open connection to a repository. */
export interface RegistryConnection {
  readonly client: RegistryClient;
  /** Mirrors before the registry itself. */
  readonly endpoints: readonly Endpoint[];
  readonly timeouts: RegistryTimeouts;
  readonly retry: RetryPolicy;
}

/** Prepares a connection to a repository; nothing is sent yet. @throws ScanError `not_permitted` if `offline` is set */
export async function connectRegistry(
  reference: ImageReference,
  options: RegistryOptions,
): Promise<RegistryConnection> {
  if (options.offline)
    throw new ScanError(
      "not_permitted",
      `${formatImageReference(reference)}: reaching a registry needs the network, which is switched off (--offline)`,
    );
  const timeouts = { ...defaultTimeouts, ...withoutUndefined(options.timeouts ?? {}) };
  const retry = { ...defaultRetry, ...withoutUndefined(options.retry ?? {}) };
  const client = openClient(options, timeouts);
  return { client, timeouts, retry, endpoints: listEndpoints(reference, options, { client, retry }) };
}

function openClient(options: RegistryOptions, { connectMs, idleMs }: RegistryTimeouts): RegistryClient {
  const { ca, certificates, proxy, proxyPolicy, policy, insecure = [] } = options;
  const trusting = { insecure: [...insecure, ...plainMirrors(options)], ca, certificates };
  return openRegistryClient({ ...trusting, policy, proxy, proxyPolicy, connectMs, idleMs });
}

/** The hosts of mirrors whose addresses begin with `http:`: plain HTTP is allowed for them. */
function plainMirrors({ mirrors = {} }: RegistryOptions): readonly string[] {
  const addresses = Object.values(mirrors).flat();
  return addresses.flatMap((address) => (address.startsWith("http:") ? [parseMirror(address).host] : []));
}

function parseMirror(address: string): URL {
  const url = URL.parse(address.includes("://") ? address : `https://${address}`);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new ScanError(
    "unsupported_source",
    `expected the http or https address of a mirror, found ${JSON.stringify(address)}`,
  );
}

function listEndpoints(
  reference: ImageReference,
  options: RegistryOptions,
  { client, retry }: { readonly client: RegistryClient; readonly retry: RetryPolicy },
): readonly Endpoint[] {
  const { repository } = reference;
  const { credentials = anonymous, mirrors = {}, now = Date.now } = options;
  const insecure = [...(options.insecure ?? []), ...plainMirrors(options)];
  const open = (registry: string, addresses: readonly URL[]) =>
    openEndpoint({ registry, repository, addresses, client, credentials, retry, now, insecure });
  const before = (mirrors[reference.registry] ?? []).map((address) => {
    const url = parseMirror(address);
    return open(url.host, [url]);
  });
  const host = apiHosts.get(reference.registry) ?? reference.registry;
  const schemes = mayUsePlainHttp(host, { insecure }) ? ["https", "http"] : ["https"];
  return [
    ...before,
    open(
      reference.registry,
      schemes.map((scheme) => new URL(`${scheme}://${host}`)),
    ),
  ];
}
