import { withoutUndefined } from "@plimsoll/core/internal";
import { discardBody, type FetchResponse, signWebhook } from "@plimsoll/outbound";
import {
  BuildError,
  invalidRequest,
  type LoginAddress,
  type OutgoingDocument,
  type OutgoingEvent,
  type OutgoingGuard,
  type Receipt,
} from "@plimsoll/registry";

/** What sends the requests, and which hosts they may go to. */
export interface GuardedRequests extends Pick<OutgoingGuard, "check"> {
  /** The body of the response must be read or discarded, see {@link FetchResponse}. */
  send(url: string, init?: RequestInit): Promise<FetchResponse>;
}

/**
 * Delivers documents, opens files and checks logins by HTTP.
 * @example
 * createOutgoing({ check: async () => {}, send: (url, init) => fetch(url, init) }); // for programs that reach no internal hosts
 */
export function createOutgoing(requests: GuardedRequests): OutgoingGuard {
  return {
    check: (host) => requests.check(host),
    deliver: (document, { signal }) => deliver(requests, document, signal),
    download: (url, { signal }) => download(requests, url, signal),
    checkLogin: (registry, { signal }) => checkLogin(requests, registry, signal),
  };
}

async function deliver(
  requests: GuardedRequests,
  { url, text, event }: OutgoingDocument,
  signal: AbortSignal,
): Promise<Receipt> {
  const headers = { "content-type": "application/json", ...(event && eventHeaders(event, text)) };
  const response = await requests.send(url, { method: "POST", body: text, headers, redirect: "manual", signal });
  await discardBody(response);
  const kind = response.status === 200 ? "done" : response.ok ? "taken" : "refused";
  return { kind, text: `the receiver answered ${response.status}` };
}

function eventHeaders({ id, name, isTest, secret, at: now }: OutgoingEvent, body: string) {
  const signature = secret === undefined ? { "webhook-id": id } : signWebhook({ id, body, secret, now });
  return withoutUndefined({ ...signature, "x-plimsoll-event": name, "x-plimsoll-test": isTest ? "true" : undefined });
}

async function download(
  requests: GuardedRequests,
  url: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { hostname } = new URL(url);
  await requests.check(hostname);
  const response = await requests.send(url, { signal, headers: { accept: "*/*" } });
  if (response.ok) return response.body ?? noBytes();
  await discardBody(response);
  if (response.status >= 500 || response.status === 429) throw new Error(`${hostname} answered ${response.status}`);
  throw new BuildError(`The archive cannot be fetched: ${hostname} answered ${response.status}`);
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** How long a registry has to answer. */
const loginMs = 10_000;

async function checkLogin(
  requests: GuardedRequests,
  { host, verifiesTls, login }: LoginAddress,
  signal: AbortSignal,
): Promise<"Valid" | "Anonymous"> {
  const registry = host === "docker.io" ? "registry-1.docker.io" : host;
  const basic = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString("base64")}`;
  const sender = { requests, basic, signal };
  const response = await fetchHead(sender, `${verifiesTls ? "https" : "http"}://${registry}/v2/`);
  if (response.ok) return "Valid";
  if (response.status === 401) return basic === undefined ? "Anonymous" : checkBearerLogin(sender, response);
  throw invalidRequest(`Failed login to remote registry: it answered ${response.status}`);
}

interface LoginSender {
  readonly requests: GuardedRequests;
  readonly basic: string | undefined;
  readonly signal: AbortSignal;
}

/** Checks the login at the token service, since most registries accept a password only there. */
async function checkBearerLogin(sender: LoginSender, response: FetchResponse): Promise<"Valid"> {
  const challenge = response.headers.get("www-authenticate") ?? "";
  const realm = /^Bearer\b.*\brealm="([^"]+)"/i.exec(challenge)?.[1];
  if (realm === undefined || !URL.canParse(realm)) throw refusedLogin();
  const service = /\bservice="([^"]+)"/i.exec(challenge)?.[1];
  const url = new URL(realm);
  if (service !== undefined) url.searchParams.set("service", service);
  await sender.requests.check(url.hostname);
  const token = await fetchHead(sender, url.href);
  if (!token.ok) throw refusedLogin();
  return "Valid";
}

/** Sends a request and discards the body of the response. @throws RegistryError `invalid_request` if the registry does not respond */
async function fetchHead({ requests, basic, signal }: LoginSender, url: string): Promise<FetchResponse> {
  const sent = requests.send(url, {
    headers: basic === undefined ? {} : { authorization: basic },
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(loginMs)]),
  });
  const response = await sent.catch((cause: unknown) => {
    throw invalidRequest(`Failed to reach the remote registry ${new URL(url).host}: ${reasonOf(cause)}`);
  });
  await discardBody(response);
  return response;
}

function refusedLogin() {
  return invalidRequest("Failed login to remote registry. Please verify entered details and try again.");
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.slice(0, 200) : "no answer";
}
