import { type Json, ScanError } from "@plimsoll/core";
import { answerChallenge } from "./authorization.ts";
import type { CredentialSource } from "./credentials.ts";
import { discardBody, type HttpClient, type HttpRequest, type HttpResponse } from "./http-client.ts";
import type { PlainHttpRule } from "./plain-http.ts";
import { readBody } from "./read-body.ts";
import {
  findErrorCode,
  findRetryDelay,
  isPassingError,
  isPassingStatus,
  parseRetryAfter,
  type RetryPolicy,
} from "./retry.ts";

/** A registry or a mirror of one, as the source of one repository. */
export interface Endpoint {
  /** For messages. */
  readonly host: string;
  /**
   * An answer of status 200 or 206 below `/v2/REPOSITORY/`, after as many attempts as it takes.
   * @throws StatusError for every other status; whatever the network throws
   */
  get(path: string, request: EndpointRequest): Promise<HttpResponse>;
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
  readonly repository: string;
  /** Addresses without `/v2/`, the preferred first; the first that answers at all is used. */
  readonly addresses: readonly URL[];
  readonly client: HttpClient;
  readonly credentials: CredentialSource;
  readonly retry: RetryPolicy;
  readonly now: () => number;
}

/** A refusal, with the code that the registry gave for it. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: number;
  readonly registryCode: string | undefined;
  readonly hadCredential: boolean;

  constructor(details: Pick<StatusError, "status" | "registryCode" | "hadCredential">) {
    super(`status ${details.status}`);
    this.status = details.status;
    this.registryCode = details.registryCode;
    this.hadCredential = details.hadCredential;
  }
}

/** Opens an endpoint; nothing is sent before the first request. What it learns (address, token) it keeps. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const { registry, repository, client, credentials, retry } = options;
  const host = options.addresses[0]?.host ?? registry;
  let address: URL | undefined;
  let authorization: string | undefined;

  const send = (request: HttpRequest) => sendWithRetries(client, retry, request, options.now);
  const findAddress = async (signal: AbortSignal | undefined): Promise<URL> => {
    address ??= await firstAnswering(client, options.addresses, signal);
    return address;
  };
  const authorize = async (refused: HttpResponse, signal: AbortSignal | undefined): Promise<boolean> => {
    const header = refused.headers["www-authenticate"];
    const credential = await credentials.find({ registry, repository });
    const common = { host, repository, credential, send, insecure: options.insecure };
    const text = Array.isArray(header) ? header.join(", ") : (header ?? "");
    authorization = await answerChallenge(text, { ...common, ...(signal !== undefined && { signal }) });
    return authorization !== undefined;
  };
  return {
    host,
    get: async (path, { headers = {}, signal }) => {
      const url = new URL(`/v2/${repository}/${path}`, await findAddress(signal));
      const request = { url, ...(signal !== undefined && { signal }) };
      const ask = () =>
        send({ ...request, headers: { ...headers, ...(authorization !== undefined && { authorization }) } });
      let response = await ask();
      // A challenge from where a redirect led would be an invitation to send the credential elsewhere.
      if (response.status === 401 && response.origin === url.origin) {
        const refused = response;
        await discardBody(refused);
        if (await authorize(refused, signal)) response = await ask();
      }
      if (response.status === 200 || response.status === 206) return response;
      const registryCode = await readRegistryCode(response);
      throw new StatusError({ status: response.status, registryCode, hadCredential: authorization !== undefined });
    },
  };
}

/** TLS is tried first even where plain HTTP is acceptable; any answer counts, a refusal as well. */
async function firstAnswering(client: HttpClient, addresses: readonly URL[], signal?: AbortSignal): Promise<URL> {
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

async function sendWithRetries(
  client: HttpClient,
  retry: RetryPolicy,
  request: HttpRequest,
  now: () => number,
): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(client, request);
    const isPassing = outcome instanceof Error ? isPassingError(outcome) : isPassingStatus(outcome.status);
    const retryAfterMs = outcome instanceof Error ? undefined : retryAfterOf(outcome, now());
    const delayMs = isPassing ? findRetryDelay(retry, attempt, retryAfterMs) : undefined;
    if (delayMs !== undefined) {
      if (!(outcome instanceof Error)) await discardBody(outcome);
      await retry.sleep(delayMs, request.signal);
    } else if (outcome instanceof Error) throw outcome;
    else return outcome;
  }
}

async function sendOnce(client: HttpClient, request: HttpRequest): Promise<HttpResponse | Error> {
  try {
    return await client.send(request);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function retryAfterOf(response: HttpResponse, nowAt: number): number | undefined {
  const header = response.headers["retry-after"];
  return typeof header === "string" ? parseRetryAfter(header, nowAt) : undefined;
}

const maxRefusalBytes = 64 * 1024;

/**
 * Of what a registry says, only its code is kept: the rest is free text that may hold anything.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 */
async function readRegistryCode(response: HttpResponse): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await readBody(response.body, maxRefusalBytes, "refusal"));
    const { errors } = JSON.parse(text) as { readonly errors?: readonly { readonly code?: Json }[] };
    const code = errors?.[0]?.code;
    return typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A failure in the words of the engine.
 * @param what was asked for
 */
export function toScanError(error: unknown, host: string, what: string): ScanError {
  if (error instanceof ScanError) return error;
  if (error instanceof StatusError) return refusalError(error, host, what);
  const code = findErrorCode(error);
  const reason = code === undefined ? String(error) : `${code}: ${explainCode(code)}`;
  return new ScanError("source_unreachable", `${host} cannot be reached for ${what} (${reason})`, { cause: error });
}

function refusalError(error: StatusError, host: string, what: string): ScanError {
  const { status, registryCode, hadCredential } = error;
  const said = registryCode === undefined ? `${status}` : `${status} ${registryCode}`;
  const fail = (code: "unauthorized" | "not_found" | "source_unreachable", message: string) =>
    new ScanError(code, message, { cause: error });
  switch (status) {
    case 401: {
      const remedy = hadCredential ? "the login is not valid for it, log in again" : `log in to ${host} first`;
      return fail("unauthorized", `${host} asks who wants ${what} (${said}): ${remedy}`);
    }
    case 403:
      return fail("unauthorized", `${host} does not permit ${what} (${said}): use an account that may pull it`);
    case 404:
      return fail("not_found", `${host} has no ${what} (${said}): check the name and the tag`);
    case 429:
      return fail("source_unreachable", `${host} limits how often it is asked (${said}): log in, use a mirror or wait`);
    default:
      return fail("source_unreachable", `${host} answered ${said} to ${what}: try again later`);
  }
}

function isCertificateError(error: unknown): boolean {
  return isCertificateCode(findErrorCode(error) ?? "");
}

/** @see https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes */
function isCertificateCode(code: string): boolean {
  return code.includes("CERT") || code.includes("SELF_SIGNED") || code.includes("SIGNATURE");
}

function explainCode(code: string): string {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return "the name has no address, check its spelling and the network";
  if (code === "ECONNREFUSED") return "nothing listens there, check host and port";
  if (isCertificateCode(code)) {
    return "its certificate is not trusted, name its CA or list the host as insecure";
  }
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT") return "it did not answer in time, check network and proxy";
  return "the connection failed, check network and proxy";
}
