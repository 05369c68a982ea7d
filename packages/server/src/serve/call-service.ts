import { ScanError } from "@plimsoll/core";
import type { Outage } from "./outages.ts";
import { trustedFetch } from "./trusted-fetch.ts";

/** A service in another process, behind its API. */
export interface RemoteService {
  /** Addresses without a slash at their end. If one cannot be reached or answers 503, the next one is used. */
  readonly addresses: readonly string[];
  /** Creates the token of one request; absent if the installation has no key. */
  readonly token?: () => Promise<string>;
  /** Records whether the service answers. */
  readonly outage?: Outage;
}

/** A request to another service. */
export interface ServiceRequest {
  readonly accept: string;
  /** JSON; sent with POST unless `method` is set. */
  readonly body?: string;
  readonly method?: "POST" | "DELETE";
  readonly signal?: AbortSignal;
  /** How long to wait for the beginning of a response at each address. */
  readonly patienceMs: number;
}

/** How long a response may pause. */
const idleMs = 60_000;

/**
 * Calls the addresses of a service in turn until one answers.
 * @throws ScanError `source_unreachable` if none does; the reason of the signal if it is aborted
 */
export async function callService(service: RemoteService, path: string, request: ServiceRequest): Promise<Response> {
  const { addresses, outage } = service;
  const since = outage?.changes;
  let failure: unknown;
  for (const address of addresses) {
    try {
      const response = await callAddress(service, `${address}${path}`, request);
      if (response.status !== 503) {
        outage?.worked(since);
        return response;
      }
      await response.body?.cancel();
      failure = new ScanError("source_unreachable", `the service at ${address} does not accept requests at the moment`);
    } catch (cause) {
      request.signal?.throwIfAborted();
      failure = new ScanError("source_unreachable", `the service at ${address} cannot be reached`, { cause });
    }
  }
  outage?.failed(failure, since);
  throw failure;
}

async function callAddress(
  { token }: RemoteService,
  url: string,
  { accept, body, method = "POST", signal, patienceMs }: ServiceRequest,
): Promise<Response> {
  const limit = new AbortController();
  const watch = setTimeout(() => limit.abort(timeoutError(patienceMs)), patienceMs);
  try {
    const response = await trustedFetch(url, {
      ...(body !== undefined && { method, body }),
      headers: {
        accept,
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${await token()}` }),
      },
      signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    });
    return withIdleLimit(response, limit);
  } finally {
    clearTimeout(watch);
  }
}

/** Wraps a response so that its body fails when no data arrives for {@link idleMs}. */
function withIdleLimit(response: Response, limit: AbortController): Response {
  if (response.body === null) return response;
  let watch: NodeJS.Timeout | undefined;
  const again = () => {
    clearTimeout(watch);
    watch = setTimeout(() => limit.abort(timeoutError(idleMs)), idleMs).unref();
  };
  again();
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        again();
        controller.enqueue(chunk);
      },
      flush: () => clearTimeout(watch),
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

function timeoutError(patienceMs: number): Error {
  return new Error(`no answer within ${patienceMs / 1000} s`);
}
