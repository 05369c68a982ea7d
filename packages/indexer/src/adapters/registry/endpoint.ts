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

/** A registry or a mirror of one, as the source of one repository. */
export interface Endpoint {
  /** For messages. */
  readonly host: string;
  /**
   * An answer of status 200 or 206 below `/v2/REPOSITORY/`, after as many attempts as it takes.
   * @throws StatusError for every other status; whatever the network throws
   */
  get(path: string, request: EndpointRequest & { readonly method?: "GET" | "HEAD" }): Promise<OutboundResponse>;
  /**
   * An answer to a request that changes something, of one of the expected statuses. It is sent once, and again after a challenge.
   * @param place a path below `/v2/REPOSITORY/`, or the address that an earlier answer gave
   * @throws StatusError for every other status; whatever the network throws
   */
  send(place: string | URL, request: EndpointChange): Promise<OutboundResponse>;
}

/** A request that changes something, or asks whether something is there. */
export interface EndpointChange extends EndpointRequest, Pick<OutboundRequest, "body"> {
  readonly method: "HEAD" | "POST" | "PUT";
  readonly expected: readonly number[];
}

/** What is asked of an endpoint. */
export interface EndpointRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What an endpoint is made of. */
export interface EndpointOptions extends PlainHttpRule {
  /** As credentials know it. */
  readonly registry: string;
  /** Empty for what is of no repository: the catalog. */
  readonly repository: string;
  /** Addresses without `/v2/`, the preferred first; the first that answers at all is used. */
  readonly addresses: readonly URL[];
  readonly client: RegistryClient;
  readonly credentials: CredentialSource;
  readonly retry: RetryPolicy;
  readonly now: () => number;
}

/** Opens an endpoint; nothing is sent before the first request. What it learns (address, token) it keeps. */
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
    authorization = await answerChallenge(text, { ...common, ...(signal !== undefined && { signal }) });
    return authorization !== undefined;
  };
  /** @param once one attempt, or as many as an answer takes */
  const ask = async (request: OutboundRequest, once: (request: OutboundRequest) => Promise<OutboundResponse>) => {
    const { url, signal } = request;
    const isOwn = url.origin === (await findAddress(signal)).origin;
    const authorized = () =>
      once({ ...request, ...(isOwn && authorization !== undefined && { originHeaders: { authorization } }) });
    const response = await authorized();
    // A challenge from where a redirect or another answer led would be an invitation to send the credential elsewhere.
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
      const response = await ask({ url, method, headers, ...(signal !== undefined && { signal }) }, send);
      if (response.status === 200 || response.status === 206) return response;
      throw await readRefusal(response, { hadCredential: hasCredential });
    },
    send: async (place, { expected, headers = {}, signal, ...request }) => {
      const url = typeof place === "string" ? await addressOf(place, signal) : place;
      const asked = { ...request, url, headers, ...(signal !== undefined && { signal }) };
      const response = await ask(asked, (each) => client.send(each));
      if (expected.includes(response.status)) return response;
      throw await readRefusal(response, { hadCredential: hasCredential });
    },
  };
}

/** TLS is tried first even where plain HTTP is acceptable; any answer counts, a refusal as well. */
async function firstAnswering(client: RegistryClient, addresses: readonly URL[], signal?: AbortSignal): Promise<URL> {
  const [last, ...others] = addresses.toReversed();
  for (const address of others.toReversed()) {
    try {
      await discardBody(await client.send({ url: new URL("/v2/", address), ...(signal !== undefined && { signal }) }));
      return address;
    } catch (error) {
      if (signal?.aborted === true) throw error;
      if (isCertificateError(error)) return address; // TLS is spoken there: the next request says what is wrong with it
    }
  }
  if (last === undefined) throw new TypeError("an endpoint needs an address");
  return last;
}
