import { ScanError } from "@plimsoll/core";
import { parseJson } from "@plimsoll/core/internal";
import {
  discardBody,
  findErrorCode,
  type OutboundResponse,
  openOutbound,
  ResponseFailure,
  readBody,
} from "@plimsoll/outbound";
import type { CompatibilityProfile } from "../config/service-settings.ts";
import type { Outage } from "./outages.ts";

const connectMs = 10_000;

/** Longer than the deadlines of all callers. */
const idleMs = 300_000;

/** Requests to other services of the installation, never through a proxy. It needs no closing, because idle connections end. */
export const serviceRequests = openOutbound({ policy: "trusted", connectMs, idleMs });

/** A service in another process, behind its API. */
export interface RemoteService {
  /** Its name in messages: `indexer`. */
  readonly name: string;
  /** Addresses without a slash at their end. If one cannot be reached or answers 503, the next one is used. */
  readonly addresses: readonly string[];
  /** The vendor segment of the media types of request bodies. Absent: bodies are `application/json`. */
  readonly vendor?: string;
  /** The profile of what it answers in a form that is not our own. Absent: the contract's. */
  readonly profile?: CompatibilityProfile;
  /** Creates the token of one request; absent if the installation has no key. */
  readonly token?: () => Promise<string>;
  /** Records whether the service answers. */
  readonly outage?: Outage;
}

/** A request to another service. */
interface ServiceRequest {
  readonly accept: string;
  /** JSON; sent with POST unless `method` is set. */
  readonly body?: string;
  /** The media type of the body, by default `application/json`. */
  readonly contentType?: string;
  /** The statuses, besides those of success and 404, that are answers to the caller and no failures of the service. */
  readonly answers?: readonly number[];
  readonly method?: "POST" | "DELETE";
  readonly signal?: AbortSignal;
  /** How long to wait for the beginning of a response at each address. */
  readonly patienceMs: number;
}

/** How a response may pause. A service may search for long between two entries of a list. */
const pace = { idleMs: 60_000, minBytes: 1 };

/**
 * Calls the addresses of a service in turn until one answers with a success, with 404, or with one of the caller's statuses. When the response is read, the caller records that
 * the service works.
 * @throws ScanError `service_unavailable` if none does; the reason of the signal if it is aborted
 */
export async function callService(
  service: RemoteService,
  path: string,
  request: ServiceRequest,
): Promise<OutboundResponse> {
  const { addresses, outage } = service;
  const since = outage?.changes;
  let failure: unknown;
  for (const address of addresses) {
    try {
      const response = await callAddress(service, `${address}${path}`, request);
      if (isAnswer(response, request)) return response;
      const reason = await refusalOf(response);
      failure = new RefusedCall(
        `${address} answered ${response.status} to ${path}${reason && `: ${reason}`}`,
        response.status,
      );
      if (response.status !== 503) break;
    } catch (cause) {
      request.signal?.throwIfAborted();
      failure = new Error(`${address} cannot be reached`, { cause });
    }
  }
  throw unavailable(service, failure, since);
}

/** An answer that is an error. */
class RefusedCall extends Error {
  override readonly name = "RefusedCall";
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

function isAnswer({ status }: OutboundResponse, { answers = [] }: ServiceRequest): boolean {
  return (status >= 200 && status < 300) || status === 404 || answers.includes(status);
}

/** The limits of an error response. */
const refusalLimits = { maxBytes: 65_536, withinMs: 5_000, tooLarge: () => new Error("a long error response") };

/** The most characters of a reason. */
const maxReasonLength = 500;

/** The `message` in an error response, which all services write in the same form; empty if it has none. The body is read. */
export async function refusalOf(response: OutboundResponse): Promise<string> {
  try {
    const bytes = await readBody(response.body, refusalLimits);
    const { message } = parseJson(bytes, "error response") as { readonly message?: unknown };
    return typeof message === "string" ? message.slice(0, maxReasonLength) : "";
  } catch {
    return "";
  } finally {
    await discardBody(response);
  }
}

/**
 * The error of a service that cannot be used, which its outage records. The message is for clients; addresses are in the cause.
 * @param since the changes of the outage when the failed work began
 */
export function unavailable({ name, outage }: RemoteService, cause: unknown, since?: number): ScanError {
  outage?.failed(cause, since);
  return new ScanError("service_unavailable", `the ${name} cannot be used at the moment: try again later`, { cause });
}

/** Whether a failed call may succeed when it is repeated soon. One that took all of its time is not repeated. */
export function isRepeatable(error: unknown): boolean {
  if (!(error instanceof ScanError) || error.code !== "service_unavailable") return false;
  if (error.cause instanceof RefusedCall) return error.cause.status === 503;
  return findErrorCode(error.cause)?.includes("TIMEOUT") !== true;
}

async function callAddress(
  { token }: RemoteService,
  address: string,
  { accept, body, contentType = "application/json", method = "POST", signal, patienceMs }: ServiceRequest,
): Promise<OutboundResponse> {
  const url = new URL(address);
  const limit = new AbortController();
  const late = { host: url.host, found: `no answer within ${patienceMs / 1000} s` };
  const watch = setTimeout(() => limit.abort(new ResponseFailure("RESPONSE_TIMEOUT", late)), patienceMs);
  try {
    return await serviceRequests.send({
      ...{ url, pace },
      ...(body !== undefined && { method, body }),
      headers: { accept, "content-type": contentType },
      originHeaders: token && { authorization: `Bearer ${await token()}` },
      signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    });
  } finally {
    clearTimeout(watch);
  }
}
