import { ScanError } from "@plimsoll/core";
import { safeText } from "@plimsoll/core/internal/safe-text";
import type { Json } from "@plimsoll/core/report";
import {
  adviceOf,
  FailedElsewhere,
  findErrorCode,
  isPassingStatus,
  type OutboundResponse,
  RefusedRedirect,
  ResponseFailure,
} from "@plimsoll/outbound";
import { readDocument } from "./read-document.ts";

/** A response with an error status, and the registry's error code. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: number;
  readonly registryCode: string | undefined;
  /** What the registry says about it: unknown text, safe for one line of a terminal. */
  readonly registryMessage: string | undefined;
  readonly hadCredential: boolean;
  /** The pause that the registry requests. */
  readonly retryAfterMs: number | undefined;

  constructor(details: Pick<StatusError, "status" | "hadCredential" | "retryAfterMs"> & RegistryAnswer) {
    super(`status ${details.status}`);
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
    this.registryCode = details.registryCode;
    this.registryMessage = details.registryMessage;
    this.hadCredential = details.hadCredential;
  }
}

/** A network error while a token was fetched. It concerns the token service, not the registry. */
export class TokenServiceFailure extends Error {
  override readonly name = "TokenServiceFailure";
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super("the token could not be fetched", { cause });
    this.host = host;
  }
}

/** Reads the error of a response that is not a success. */
export async function readRefusal(
  response: OutboundResponse,
  { hadCredential }: { readonly hadCredential: boolean },
): Promise<StatusError> {
  const { retryAfterMs } = adviceOf(response, Date.now());
  const answer = await readAnswer(response);
  return new StatusError({ status: response.status, ...answer, hadCredential, retryAfterMs });
}

/**
 * Finds a registry's rate limit (status 429) in an error and its causes, with the pause that the registry requests.
 * @returns undefined for every other error
 * @see https://www.rfc-editor.org/rfc/rfc6585#section-4
 * @example
 * findRateLimit(new Error("the name has no address")); // undefined
 */
export function findRateLimit(error: unknown): { readonly retryAfterMs: number | undefined } | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at instanceof StatusError && at.status === 429) return { retryAfterMs: at.retryAfterMs };
  }
  return undefined;
}

/** A failure that concerns the requested object, but not its registry. */
export interface ObjectFailure {
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;
}

/**
 * Finds out whether a failure concerns only the requested object: the registry answers, and its other objects may be fine. So it is with an
 * error status, a response that broke off or took too long, and a redirect to a host that fails.
 * @returns undefined for failures of the registry itself: its connections fail, or it limits the rate of requests
 * @example
 * findObjectFailure(new Error("the name has no address")); // undefined
 */
export function findObjectFailure(error: unknown): ObjectFailure | undefined {
  if (error instanceof ScanError && error.code === "timed_out") return { isPassing: true };
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at instanceof StatusError) return at.status === 429 ? undefined : { isPassing: mayPass(at.status) };
    if (at instanceof ResponseFailure || at instanceof FailedElsewhere) return { isPassing: true };
    if (at instanceof RefusedRedirect) return { isPassing: false };
  }
  return findErrorCode(error) === "UND_ERR_HEADERS_TIMEOUT" ? { isPassing: true } : undefined;
}

/** Whether a status says that the server failed, and not that it refuses the request. */
function mayPass(status: number): boolean {
  return status >= 500 || isPassingStatus(status);
}

/** The registry's denial of a request (status 403) in an error and its causes. @returns undefined for every other error */
export function findDenial(error: unknown): Pick<StatusError, "registryMessage"> | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    if (at instanceof StatusError && at.status === 403 && at.registryCode === "DENIED") return at;
  }
  return undefined;
}

/**
 * Translates an error to a ScanError with a remedy.
 * @param what the requested object, for the message
 */
export function toScanError(error: unknown, host: string, what: string): ScanError {
  if (error instanceof ScanError) return error;
  if (error instanceof StatusError) return refusalError(error, host, what);
  if (error instanceof TokenServiceFailure) {
    return toScanError(error.cause, `the token service ${error.host}`, `the token that ${host} asks for`);
  }
  if (error instanceof FailedElsewhere) {
    const { code, message } = toScanError(error.cause, `${error.host}, where ${host} leads,`, what);
    return new ScanError(code, message, { cause: error });
  }
  const reason = error instanceof ResponseFailure ? error.found : explain(error);
  return new ScanError("source_unreachable", `${host} cannot be reached for ${what} (${reason})`, { cause: error });
}

function explain(error: unknown): string {
  const code = findErrorCode(error);
  return code === undefined ? String(error) : `${code}: ${explainCode(code)}`;
}

function refusalError(error: StatusError, host: string, what: string): ScanError {
  const { status, registryCode, hadCredential } = error;
  const said = registryCode === undefined ? `${status}` : `${status} ${registryCode}`;
  const fail = (code: "unauthorized" | "not_found" | "source_unreachable", message: string) =>
    new ScanError(code, message, { cause: error });
  switch (status) {
    case 401: {
      const remedy = hadCredential ? "the login is not valid for it, log in again" : `log in to ${host} first`;
      return fail("unauthorized", `${host} requires credentials for ${what} (${said}): ${remedy}`);
    }
    case 403:
      return fail("unauthorized", `${host} does not permit ${what} (${said}): use an account that may pull it`);
    case 404:
      return fail("not_found", `${host} has no ${what} (${said}): check the name and the tag, or push it again`);
    case 429:
      return fail("source_unreachable", `${host} limits the rate of requests (${said}): log in, use a mirror or wait`);
    default:
      return fail("source_unreachable", `${host} answered ${said} to ${what}: try again later`);
  }
}

/** Whether the error is an untrusted certificate. */
export function isCertificateError(error: unknown): boolean {
  return isCertificateCode(findErrorCode(error) ?? "");
}

/** @see https://nodejs.org/docs/latest-v24.x/api/tls.html#x509-certificate-error-codes */
function isCertificateCode(code: string): boolean {
  return code.includes("CERT") || code.includes("SELF_SIGNED") || code.includes("SIGNATURE");
}

function explainCode(code: string): string {
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the name has no address, check its spelling and DNS";
  if (code === "ECONNREFUSED") return "nothing listens there, check host and port";
  if (isCertificateCode(code)) {
    return "its certificate is not trusted, name its CA or list the host as insecure";
  }
  if (code.includes("TIMEOUT") || code === "ETIMEDOUT") return "it did not answer in time, check network and proxy";
  return "the connection failed, check network and proxy";
}

const maxRefusalBytes = 64 * 1024;

/** The longest message of a registry that is kept: characters. */
const maxMessage = 1000;

interface RegistryAnswer {
  readonly registryCode?: string | undefined;
  readonly registryMessage?: string | undefined;
}

/**
 * The code and the message of a registry's error. The message is free text with unknown content: only a user who names the registry sees it.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 */
async function readAnswer(response: OutboundResponse): Promise<RegistryAnswer> {
  try {
    const text = new TextDecoder().decode(await readDocument(response.body, maxRefusalBytes, "refusal"));
    const { errors } = JSON.parse(text) as { readonly errors?: readonly { readonly [name: string]: Json }[] };
    const { code, message } = errors?.[0] ?? {};
    return {
      registryCode: typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? code : undefined,
      registryMessage: typeof message === "string" ? safeText(message.slice(0, maxMessage)) : undefined,
    };
  } catch {
    return {};
  }
}
