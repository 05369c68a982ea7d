import {
  discardBody,
  type OutboundRequest,
  type OutboundResponse,
  type RetryPolicy,
  sendWithRetries,
} from "@plimsoll/outbound";
import { answerChallenge } from "./authorization.ts";
import type { CredentialSource } from "./credentials.ts";
import type { PlainHttpRule } from "./plain-http.ts";
import { isCertificateError, readRefusal } from "./refusal.ts";
import type { RegistryClient } from "./registry-client.ts";

/** One repository at a registry or at a mirror of it. */
export interface Endpoint {
  /** For messages. */
  readonly host: string;
  /**
   * Requests a path below `/v2/REPOSITORY/`, with retries, and returns a response of status 200 or 206.
   * @throws StatusError for every other status; network errors
   */
  get(path: string, request: EndpointRequest & { readonly method?: "GET" | "HEAD" }): Promise<OutboundResponse>;
  /**
   * Sends a request that may change the repository, and returns a response of an expected status. It is sent once, and again after a challenge.
   * @param place a path below `/v2/REPOSITORY/`, or an address from an earlier response
   * @throws StatusError for every other status; network errors
   */
  send(place: string | URL, request: EndpointChange): Promise<OutboundResponse>;
}

/** A request that changes the repository, or checks whether something exists. */
export interface EndpointChange extends EndpointRequest, Pick<OutboundRequest, "body"> {
  readonly method: "HEAD" | "POST" | "PUT";
  readonly expected: readonly number[];
}

/** The headers and the signal of a request. */
export interface EndpointRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Options of {@link openEndpoint}. */
export interface EndpointOptions extends PlainHttpRule {
  /** The name of the registry for credentials. */
  readonly registry: string;
  /** Empty for the catalog, which belongs to no repository. */
  readonly repository: string;
  /** Addresses without `/v2/`, the preferred first; the first that answers is used. */
  readonly addresses: readonly URL[];
  readonly client: RegistryClient;
  readonly credentials: CredentialSource;
  readonly retry: RetryPolicy;
  readonly now: () => number;
}

/** Opens an endpoint. Nothing is sent before the first request. It remembers the address that answers, and the token. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const { registry, repository, client, credentials, retry, now } = options;
  let address: URL | undefined;
  let authorization: string | undefined;
  let hasCredential = false;

  const send = (request: OutboundRequest) =>
    sendWithRetries(() => client.send(request), { retry, now, signal: request.signal });
  const findAddress = async (signal: AbortSignal | undefined): Promise<URL> => {
    address ??= await firstAnswering(client, options.addresses, signal);
    return address;
  };
  const authorize = async (refused: OutboundResponse, signal: AbortSignal | undefined): Promise<boolean> => {
    const header = refused.headers["www-authenticate"];
    const credential = await credentials.find({ registry, repository });
    hasCredential = credential !== undefined;
    const common = { host: registry, repository, credential, send, insecure: options.insecure };
    const text = Array.isArray(header) ? header.join(", ") : (header ?? "");
    authorization = await answerChallenge(text, { ...common, signal });
    return authorization !== undefined;
  };
  /** @param once sends the request, once or with retries */
  const ask = async (request: OutboundRequest, once: (request: OutboundRequest) => Promise<OutboundResponse>) => {
    const { url, signal } = request;
    const isOwn = url.origin === (await findAddress(signal)).origin;
    const authorized = () =>
      once({ ...request, ...(isOwn && authorization !== undefined && { originHeaders: { authorization } }) });
    const response = await authorized();
    // Answering a challenge from another origin would send the credential to that origin.
    if (response.status !== 401 || !isOwn || response.url.origin !== url.origin) return response;
    await discardBody(response);
    return (await authorize(response, signal)) ? authorized() : response;
  };
  const addressOf = async (path: string, signal: AbortSignal | undefined) =>
    new URL(`/v2/${repository === "" ? "" : `${repository}/`}${path}`, await findAddress(signal));
  return {
    host: registry,
    get: async (path, { method = "GET", headers = {}, signal }) => {
      const url = await addressOf(path, signal);
      const response = await ask({ url, method, headers, signal }, send);
      if (response.status === 200 || response.status === 206) return response;
      throw await readRefusal(response, { hadCredential: hasCredential });
    },
    send: async (place, { expected, headers = {}, signal, ...request }) => {
      const url = typeof place === "string" ? await addressOf(place, signal) : place;
      const whole = { ...request, url, headers, signal };
      const response = await ask(whole, (each) => client.send(each));
      if (expected.includes(response.status)) return response;
      throw await readRefusal(response, { hadCredential: hasCredential });
    },
  };
}

/** Finds the first address that answers. TLS is tried first even if plain HTTP is allowed; a refusal counts as an answer. */
async function firstAnswering(client: RegistryClient, addresses: readonly URL[], signal?: AbortSignal): Promise<URL> {
  const [last, ...others] = addresses.toReversed();
  for (const address of others.toReversed()) {
    try {
      await discardBody(await client.send({ url: new URL("/v2/", address), signal }));
      return address;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (isCertificateError(error)) return address; // the server uses TLS: the next request reports the certificate's problem
    }
  }
  if (last === undefined) throw new TypeError("expected at least one address of an endpoint, found none");
  return last;
}
