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
import { NotTaken, type ReadingApi } from "./management-api.ts";

/** The registry that is read. */
export interface SourceOptions {
  /** `https://old.example`, without a path. */
  readonly url: URL;
  /** An access token with the rights to read what is taken over. */
  readonly token: string;
  readonly proxy?: ProxySettings | undefined;
  readonly retry: RetryPolicy;
  readonly signal?: AbortSignal | undefined;
}

const patience = { connectMs: 10_000, idleMs: 60_000 };
/** No answer is longer. */
const maxBytes = 64 * 1024 * 1024;
const maxReason = 500;

/**
 * Opens the management API of another registry. A server that asks for a pause is waited for.
 * @returns an API whose methods throw ScanError `source_unreachable` and `unauthorized`: nothing more can be read then
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
          ...(signal && { signal }),
        });
      const response = await sendWithRetries(send, { retry, signal }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        if (cause instanceof ScanError) throw cause;
        throw new ScanError("source_unreachable", `${address.host}: cannot be reached: ${reasonOf(cause)}`, { cause });
      });
      return answerOf(address, response);
    },
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

async function answerOf(address: URL, response: OutboundResponse): Promise<unknown> {
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
  if (status < 200 || status > 299) throw new NotTaken(`the source answered ${status}: ${messageOf(text)}`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NotTaken(`${path}: the answer is not JSON`, { cause });
  }
}

async function textOf(response: OutboundResponse, path: string): Promise<string> {
  const tooLarge = () => new NotTaken(`${path}: the answer has more than ${maxBytes} bytes`);
  return (await readBody(response.body, { maxBytes, tooLarge })).toString("utf8");
}

/** What the body of a refusal says, as registries have it. */
export function messageOf(body: unknown): string {
  const parsed = typeof body === "string" ? parsedOr(body) : body;
  if (typeof parsed !== "object" || parsed === null) return String(body ?? "").slice(0, maxReason);
  const { detail, error_message, message } = parsed as Readonly<Record<string, unknown>>;
  const said = [detail, error_message, message].find((each) => typeof each === "string" && each !== "");
  return String(said ?? JSON.stringify(parsed)).slice(0, maxReason);
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
