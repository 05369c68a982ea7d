import { ScanError } from "@plimsoll/core";
import {
  discardBody,
  type OutboundResponse,
  openOutbound,
  type ProxySettings,
  type RetryPolicy,
  readBody,
  sendWithRetries,
} from "@plimsoll/outbound";
import { NotImported, type ReadingApi } from "./management-api.ts";

/** Options for the registry that is read. */
export interface SourceOptions {
  /** `https://old.example`, without a path. */
  readonly url: URL;
  /** An access token that may read everything to import. */
  readonly token: string;
  readonly proxy?: ProxySettings | undefined;
  readonly retry: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
}

const patience = { connectMs: 10_000, idleMs: 60_000 };
/** The size limit of a response. */
const maxBytes = 64 * 1024 * 1024;
const maxReason = 500;

/**
 * Opens the management API of another registry. Requests are repeated after the time in `Retry-After`.
 * @returns an API whose methods throw ScanError `source_unreachable` or `unauthorized` when nothing more can be read
 */
export function openSourceApi(options: SourceOptions): ReadingApi & AsyncDisposable {
  const { url, token, proxy, retry, signal } = options;
  const outbound = openOutbound({ policy: "trusted", proxy, ...patience });
  const originHeaders = { authorization: `Bearer ${token}` };
  return {
    async get(path) {
      const address = new URL(`/api/v1${path}`, url);
      const send = () =>
        outbound.send({
          ...{ url: address, headers: { accept: "application/json" }, originHeaders },
          signal,
        });
      const response = await sendWithRetries(send, { retry, signal }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        if (cause instanceof ScanError) throw cause;
        throw new ScanError("source_unreachable", `${address.host}: cannot be reached: ${reasonOf(cause)}`, { cause });
      });
      return readAnswer(address, response);
    },
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

async function readAnswer(address: URL, response: OutboundResponse): Promise<unknown> {
  const { status } = response;
  const path = `${address.pathname}${address.search}`;
  if (status === 404) {
    await discardBody(response);
    return undefined;
  }
  const text = await textOf(response, path);
  if (status === 401)
    throw new ScanError("unauthorized", `${address.host}: does not accept the token: ${messageOf(text)}`);
  if (status === 429 || status >= 500)
    throw new ScanError(
      "source_unreachable",
      `${address.host}: ${path} was answered with ${status}: ${messageOf(text)}`,
    );
  if (status < 200 || status > 299) throw new NotImported(`the source answered ${status}: ${messageOf(text)}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NotImported(`${path}: the answer is not JSON`, { cause });
  }
}

async function textOf(response: OutboundResponse, path: string): Promise<string> {
  const tooLarge = () => new NotImported(`${path}: the answer has more than ${maxBytes} bytes`);
  return (await readBody(response.body, { maxBytes, tooLarge })).toString("utf8");
}

/** The message in the body of an error response, in one of the usual members. */
export function messageOf(body: unknown): string {
  const parsed = typeof body === "string" ? parsedOr(body) : body;
  if (typeof parsed !== "object" || parsed === null) return String(body ?? "").slice(0, maxReason);
  const { detail, error_message, message } = parsed as Readonly<Record<string, unknown>>;
  const given = [detail, error_message, message].find((each) => typeof each === "string" && each !== "");
  return String(given ?? JSON.stringify(parsed)).slice(0, maxReason);
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
