import { ScanError } from "@plimsoll/core";
import type { Outage } from "./outages.ts";
import { trustedFetch } from "./trusted-fetch.ts";

/** A service in another process, behind its API. */
export interface RemoteService {
  /** Without a slash at their end. Where one cannot be reached or takes no requests, the next is asked. */
  readonly addresses: readonly string[];
  /** Makes the token of one request; absent where the installation has no key. */
  readonly token?: () => Promise<string>;
  /** Told whether the service answers. */
  readonly outage?: Outage;
}

/** A request to another service. */
export interface ServiceRequest {
  readonly accept: string;
  /** JSON; sent by POST where no other method is named. */
  readonly body?: string;
  readonly method?: "POST" | "DELETE";
  readonly signal?: AbortSignal;
  /** How long each address has for the beginning of its answer, in milliseconds. */
  readonly patienceMs: number;
}

/** How long an answer may pause in its middle. */
const idleMs = 60_000;

/**
 * Asks the addresses of a service in turn until one answers.
 * @throws ScanError `source_unreachable` where none does; the reason of the signal
 */
export async function askService(service: RemoteService, path: string, request: ServiceRequest): Promise<Response> {
  const { addresses, outage } = service;
  const since = outage?.changes;
  let failure: unknown;
  for (const address of addresses) {
    try {
      const response = await askAddress(service, `${address}${path}`, request);
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

async function askAddress(
  { token }: RemoteService,
  url: string,
  { accept, body, method = "POST", signal, patienceMs }: ServiceRequest,
): Promise<Response> {
  const limit = new AbortController();
  const watch = setTimeout(() => limit.abort(late(patienceMs)), patienceMs);
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

/** The same answer, whose body ends with an error when nothing comes of it for a while. */
function withIdleLimit(response: Response, limit: AbortController): Response {
  if (response.body === null) return response;
  let watch: NodeJS.Timeout | undefined;
  const again = () => {
    clearTimeout(watch);
    watch = setTimeout(() => limit.abort(late(idleMs)), idleMs).unref();
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

function late(patienceMs: number): Error {
  return new Error(`no answer within ${patienceMs / 1000} s`);
}
