import { trimEnd } from "@plimsoll/core/internal";
import {
  findErrorCode,
  type OutboundResponse,
  openOutbound,
  type ProxySettings,
  type RetryPolicy,
  readBody,
  retryClock,
  sendWithRetries,
} from "@plimsoll/outbound";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { loadLibrary } from "../load-library.ts";
import type { S3CredentialSource, S3Credentials } from "./aws-credentials.ts";
import { tryReadXml } from "./s3-xml.ts";

/** The address of a bucket, and the credentials for it. */
export type S3Location = S3Place & (S3Credentials | { readonly credentials: S3CredentialSource });

/** The address of a bucket, and how requests reach it. */
export interface S3Place {
  /** `https://s3.eu-central-1.amazonaws.com`, or another store that speaks the same protocol. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** Where requests name the bucket: in the path (`https://HOST/BUCKET/KEY`, where absent) or in the host (`https://BUCKET.HOST/KEY`). */
  readonly addressing?: "path" | "virtual-host";
  /** How many seconds the store has to begin a response, all attempts together, and then to send each next chunk. 15 where absent. */
  readonly answerSeconds?: number;
  /** Where absent, connections to the store are direct. */
  readonly proxy?: ProxySettings | undefined;
}

/** A request to a bucket. */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A response of a store, with its body read. */
export interface S3Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: OutboundResponse["headers"];
  readonly text: string;
}

/** Sends signed requests to a bucket. */
export interface S3Client {
  /**
   * Responses with 404, 409, 412, 416 and 501 are returned: something is missing, has changed, or cannot be done by the store.
   * @throws BlobStoreError `unavailable` for all other failures, and if the bucket does not exist
   */
  send(request: S3Request): Promise<S3Answer>;
  /** Opens an object; undefined where it is missing, has changed or has no such range. @throws BlobStoreError as above */
  open(key: string, headers?: Readonly<Record<string, string>>): Promise<OpenedObject | undefined>;
  /** An address at which any client can read an object for a while. */
  presign(key: string, seconds: number): Promise<string>;
}

/** An object that is read. */
export interface OpenedObject {
  readonly headers: OutboundResponse["headers"];
  readonly content: AsyncIterable<Uint8Array>;
}

const answers: ReadonlySet<number> = new Set([404, 409, 412, 416, 501]);

/**
 * Errors of one object, not of the store: it was moved to an archive.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
const ofObject: ReadonlySet<string> = new Set(["InvalidObjectState"]);

/** Retries of requests that fail on their way or at the store. */
const retry: RetryPolicy = {
  attempts: 5,
  firstDelayMs: 100,
  maxDelayMs: 1_600,
  maxRetryAfterMs: 5_000,
  ...retryClock,
};

/** The deadline of connecting. `answerSeconds` limits the time for a response. */
const connectMs = 10_000;
const idleMs = 3_600_000;

/** A client of a bucket. Idle connections are closed automatically. */
export function createS3Client(location: S3Location): S3Client {
  const { bucket, region, answerSeconds = 15, proxy } = location;
  const storeRequests = openOutbound({ policy: "trusted", proxy, connectMs, idleMs });
  const findCredentials = "credentials" in location ? location.credentials : async () => location;
  const keys = new Map<string, ArrayBuffer>();
  const base = baseOf(location);
  const signing = async () => {
    const { accessKeyId, secretAccessKey, sessionToken } = await findCredentials();
    return {
      accessKeyId,
      secretAccessKey,
      sessionToken: sessionToken || undefined,
      region,
      service: "s3",
      cache: keys,
    };
  };

  const patienceMs = 1000 * answerSeconds;

  /** The text of a response has been read already where a success may contain an error: that is retried like others. */
  async function ask(request: S3Request, limit: AbortController): Promise<S3Response> {
    let text: string | undefined;
    const { AwsV4Signer } = await loadSigner();
    const waitMs = isLong(request) ? longFactor * patienceMs : patienceMs;
    const sendOnce = async () => {
      const signer = new AwsV4Signer({ url: addressOf(base, request), ...initOf(request), ...(await signing()) });
      const { url, method, headers, body } = await signer.sign();
      const sent = {
        headers: Object.fromEntries(headers),
        body: body != null ? (body as string | Uint8Array) : undefined,
      };
      const pace = { idleMs: patienceMs };
      const asked = { url, method: method as S3Request["method"], ...sent, signal: limit.signal, pace };
      const response = await storeRequests.send(asked);
      text = isLong(request) && isOk(response.status) ? await readText(response) : undefined;
      if (text !== undefined) await throwErrorIn(text, response.status);
      return response;
    };
    const sending = sendWithRetries(sendOnce, { retry, signal: limit.signal, isPassing: () => true });
    const response = await inTime(sending.catch(throwUnreachable), { limit, waitMs, patienceMs });
    return { response, text };
  }

  async function readText({ body }: OutboundResponse): Promise<string> {
    const cap = { maxBytes: maxAnswerBytes, tooLarge, withinMs: longFactor * patienceMs };
    const bytes = await readBody(body, cap).catch((cause: unknown) => throwUnavailable(cause, patienceMs));
    return bytes.toString();
  }

  async function readAnswer({ response, text: read }: S3Response, { method }: S3Request): Promise<S3Answer> {
    const { status, headers } = response;
    const ok = isOk(status);
    const text = read ?? (await readText(response));
    const problem = ok ? undefined : await tryReadXml(text);
    const code = problem?.text("Code");
    if (ok || (answers.has(status) && code !== "NoSuchBucket")) return { status, ok, headers, text };
    const reason = code === undefined ? text.slice(0, 300) : `${code}: ${problem?.text("Message") ?? ""}`;
    if (ofObject.has(code ?? "")) throw new BlobStoreError("damaged", `the blob store answered ${reason}`);
    const failed = `the blob store answered ${status} to ${method} in the bucket ${bucket}`;
    throw new BlobStoreError("unavailable", `${failed}: ${reason}`);
  }

  return {
    async send(request) {
      const limit = new AbortController();
      return readAnswer(await ask(request, limit), request);
    },
    async open(key, headers = {}) {
      const limit = new AbortController();
      const request = { method: "GET", key, headers } as const;
      const asked = await ask(request, limit);
      const { status, headers: said } = asked.response;
      if (isOk(status)) return { headers: said, content: contentOf(asked.response, patienceMs) };
      await readAnswer(asked, request);
      return undefined;
    },
    async presign(key, seconds) {
      const { AwsV4Signer } = await loadSigner();
      const url = `${base}/${key}?X-Amz-Expires=${seconds}`;
      const signed = await new AwsV4Signer({ url, method: "GET", ...(await signing()), signQuery: true }).sign();
      return signed.url.href;
    },
  };
}

function loadSigner() {
  return loadLibrary("aws4fetch", import("aws4fetch"));
}

/** A response, and its text if that has been read. */
interface S3Response {
  readonly response: OutboundResponse;
  readonly text: string | undefined;
}

/**
 * A store that copies or assembles an object answers 200 before it has finished, so that the body may say that it failed.
 * @throws BlobStoreError `unavailable`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 */
async function throwErrorIn(text: string, status: number): Promise<void> {
  if (!/^\s*(?:<\?xml[^>]*>\s*)?<Error\b/.test(text)) return;
  const problem = await tryReadXml(text);
  const reason = `${problem?.text("Code") ?? "an error"}: ${problem?.text("Message") ?? text.slice(0, 300)}`;
  throw new BlobStoreError("unavailable", `the blob store answered ${status} with ${reason}`);
}

function baseOf({ endpoint, bucket, addressing = "path" }: S3Place): string {
  const address = trimEnd(endpoint, "/");
  return addressing === "path" ? `${address}/${bucket}` : address.replace("://", `://${bucket}.`);
}

function addressOf(base: string, { key = "", query = {} }: S3Request): string {
  const search = new URLSearchParams(query).toString();
  return `${base}${key === "" ? "" : `/${key}`}${search === "" ? "" : `?${search}`}`;
}

function initOf({ method, headers = {}, body }: S3Request) {
  return { method, headers: { ...headers }, body: body === undefined ? undefined : (body as Uint8Array<ArrayBuffer>) };
}

/** Requests that assemble or copy objects may take this many times longer. */
const longFactor = 10;

function isLong({ method, headers = {} }: S3Request): boolean {
  return method === "POST" || headers["x-amz-copy-source"] !== undefined;
}

function late(patienceMs: number, cause?: unknown): BlobStoreError {
  return new BlobStoreError("unavailable", `the blob store does not answer within ${patienceMs / 1000} s`, { cause });
}

/** The most bytes of a response that is a document: a list of 1,000 objects has at most about 4 MB. */
const maxAnswerBytes = 16 * 1024 * 1024;

function tooLarge(): BlobStoreError {
  return new BlobStoreError("unavailable", `the blob store sent a document of more than ${maxAnswerBytes} bytes`);
}

/** The content of an object. It fails if the store does not send enough in time; the time that the reader takes does not count. */
async function* contentOf({ body }: OutboundResponse, patienceMs: number): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throwUnavailable(cause, patienceMs);
  }
}

/** The result of `work`, or an error after `waitMs`: then the work is aborted, and not waited for even if it goes on. */
async function inTime<Result>(work: Promise<Result>, { limit, patienceMs, waitMs }: Limited): Promise<Result> {
  const expired = Promise.withResolvers<never>();
  const watch = setTimeout(() => {
    limit.abort(late(patienceMs));
    expired.reject(limit.signal.reason);
  }, waitMs);
  work.catch(() => {}); // a late failure is ignored
  try {
    return await Promise.race([work, expired.promise]);
  } finally {
    clearTimeout(watch);
  }
}

function throwUnavailable(cause: unknown, patienceMs: number): never {
  if (cause instanceof BlobStoreError) throw cause;
  if (findErrorCode(cause)?.includes("TIMEOUT") === true) throw late(patienceMs, cause);
  const found = "the blob store closed the connection before the end of its response";
  throw new BlobStoreError("unavailable", found, { cause });
}

interface Limited {
  readonly limit: AbortController;
  readonly patienceMs: number;
  readonly waitMs: number;
}

function throwUnreachable(cause: unknown): never {
  if (cause instanceof BlobStoreError) throw cause;
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  throw new BlobStoreError("unavailable", `the blob store cannot be reached${reason}`, { cause });
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}
