import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerCall } from "./s3-objects.ts";
import { hasSignature } from "./s3-signature.ts";
import { failure, type S3Answer, type S3Call, type S3World } from "./s3-world.ts";

/** An S3-compatible store with one bucket, in memory, on the loopback interface. It checks every signature. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** Each as `METHOD key`. */
  readonly requests: readonly string[];
  /** Refuses to read an object until it is written again, as Amazon does after it was moved to an archive. */
  archive(key: string): void;
  /** Answers the next `times` requests with 503. */
  fail(times: number): void;
  /** Answers the next `times` requests that copy or assemble objects with 200 and an error as the body. */
  failInside(times: number): void;
  /** Carries out the next `times` requests, but closes their connections instead of answering. */
  loseAnswers(times: number): void;
  /** The number of multipart uploads that are neither completed nor aborted. */
  readonly openUploads: () => number;
}

/** Options of {@link startS3Server}. */
export interface S3ServerOptions {
  /** Whether it supports `If-None-Match` of writes; otherwise it answers them with 501, as OpenStack Swift does. */
  readonly conditionalWrites?: boolean;
  /** The session token that requests must contain; by default none. */
  readonly sessionToken?: string;
}

const signer = { region: "test-region", accessKeyId: "TESTKEY", secretAccessKey: "test/secret+key" };
const bucket = "blobs";

/** Starts a store whose bucket is empty. */
export async function startS3Server({
  conditionalWrites = true,
  sessionToken,
}: S3ServerOptions = {}): Promise<S3Server> {
  const world: S3World = { objects: new Map(), metadata: new Map(), uploads: new Map() };
  const requests: string[] = [];
  const archived = new Set<string>();
  let [failures, failuresInside, losses] = [0, 0, 0];

  function answer(call: S3Call, url: URL): S3Answer {
    if (failures > 0) {
      failures--;
      return failure(503, "SlowDown");
    }
    if (!hasSignature(call, url, signer)) return failure(403, "SignatureDoesNotMatch");
    if (sessionToken !== undefined && tokenOf(call) !== sessionToken) return failure(403, "InvalidToken");
    if (!isInHost(url) && url.pathname.split("/")[1] !== bucket) return failure(404, "NoSuchBucket");
    if (!conditionalWrites && call.headers["if-none-match"] !== undefined) return failure(501, "NotImplemented");
    if (call.method === "GET" && archived.has(call.key)) return failure(403, "InvalidObjectState");
    if (call.method === "PUT" || call.method === "POST") archived.delete(call.key);
    if (failuresInside > 0 && (call.method === "POST" || call.headers["x-amz-copy-source"] !== undefined)) {
      failuresInside--;
      return { ...failure(500, "InternalError"), status: 200 };
    }
    return answerCall(world, call);
  }

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const url = new URL(request.url ?? "", `http://${request.headers.host}`);
    const key = decodeURIComponent(url.pathname)
      .split("/")
      .slice(isInHost(url) ? 1 : 2)
      .join("/");
    requests.push(`${request.method} ${key}`);
    const call = { method: request.method ?? "", key, query: url.searchParams, headers: request.headers, body };
    const answered = answer(call, url);
    if (losses > 0) {
      losses--;
      response.destroy();
    } else send(request, response, answered);
  }

  const server = createServer((request, response) => void onRequest(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    ...signer,
    objects: world.objects,
    requests,
    archive: (key) => void archived.add(key),
    fail: (times) => {
      failures = times;
    },
    failInside: (times) => {
      failuresInside = times;
    },
    loseAnswers: (times) => {
      losses = times;
    },
    openUploads: () => world.uploads.size,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Whether a request names the bucket in its host, and not in its path. */
function isInHost({ hostname }: URL): boolean {
  return hostname.startsWith(`${bucket}.`);
}

function tokenOf({ headers, query }: S3Call): unknown {
  return headers["x-amz-security-token"] ?? query.get("X-Amz-Security-Token");
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers = {}, body = "" }: S3Answer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { "content-length": bytes.length, ...headers });
  response.end(request.method === "HEAD" ? undefined : bytes);
}
