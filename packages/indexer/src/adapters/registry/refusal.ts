import { type Json, ScanError } from "@plimsoll/core";
import { adviceOf, FailedElsewhere, findErrorCode, type OutboundResponse } from "@plimsoll/outbound";
import { readDocument } from "./read-document.ts";

/** A refusal, with the code that the registry gave for it. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: number;
  readonly registryCode: string | undefined;
  readonly hadCredential: boolean;
  /** The pause that the registry asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(details: Pick<StatusError, "status" | "registryCode" | "hadCredential" | "retryAfterMs">) {
    super(`status ${details.status}`);
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
    this.registryCode = details.registryCode;
    this.hadCredential = details.hadCredential;
  }
}

/** What the network threw while a token was fetched: it is about the host of the token service, not about the registry. */
export class TokenServiceFailure extends Error {
  override readonly name = "TokenServiceFailure";
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super("no token came", { cause });
    this.host = host;
  }
}

/** Reads what a registry gave as the reason of an answer that is no success. */
export async function readRefusal(
  response: OutboundResponse,
  { hadCredential }: { readonly hadCredential: boolean },
): Promise<StatusError> {
  const { retryAfterMs } = adviceOf(response, Date.now());
  const registryCode = await readRegistryCode(response);
  return new StatusError({ status: response.status, registryCode, hadCredential, retryAfterMs });
}

/**
 * Whether a failure is that a registry limits the rate of requests (429), and for how long it wants to be left alone.
 * @returns undefined for every other failure
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

/**
 * A failure in the words of the engine.
 * @param what was asked for
 */
export function toScanError(error: unknown, host: string, what: string): ScanError {
  if (error instanceof ScanError) return error;
  if (error instanceof StatusError) return refusalError(error, host, what);
  if (error instanceof TokenServiceFailure) {
    return toScanError(error.cause, `the token service ${error.host}`, `the token that ${host} asks for`);
  }
  if (error instanceof FailedElsewhere) return toScanError(error.cause, `${error.host}, where ${host} leads,`, what);
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

/** Whether TLS was spoken, but with a certificate that is not trusted. */
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

/**
 * Of what a registry says, only its code is kept: the rest is free text that may hold anything.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 */
async function readRegistryCode(response: OutboundResponse): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await readDocument(response.body, maxRefusalBytes, "refusal"));
    const { errors } = JSON.parse(text) as { readonly errors?: readonly { readonly code?: Json }[] };
    const code = errors?.[0]?.code;
    return typeof code === "string" && /^[A-Z_]{1,40}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
