import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An S3-compatible store with one bucket, in memory, on the loopback interface. It checks every signature. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: ReadonlyMap<string, Uint8Array>;
  /** What was asked: `METHOD key`. */
  readonly requests: readonly string[];
  /** Answers so many of the next requests with 503. */
  fail(times: number): void;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  readonly openUploads: () => number;
}

/** Every part but the last has at least so many bytes. */
const minPartBytes = 5 * 1024 * 1024;

/** How many keys a page of a list has: few, so that tests see several. */
const pageLength = 3;

const region = "test-region";
const accessKeyId = "TESTKEY";
const secretAccessKey = "test/secret+key";

interface World {
  readonly objects: Map<string, Uint8Array>;
  readonly uploads: Map<string, Map<number, Uint8Array>>;
}

/** A request that has been read and whose signature is right. */
interface S3Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Uint8Array;
}

interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Starts a store whose bucket is empty. */
export async function startS3Server(): Promise<S3Server> {
  const world: World = { objects: new Map(), uploads: new Map() };
  const requests: string[] = [];
  let failures = 0;
  const bucket = "blobs";
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const url = new URL(request.url ?? "", `http://${request.headers.host}`);
      const key = decodeURIComponent(url.pathname).slice(bucket.length + 2);
      requests.push(`${request.method} ${key}`);
      if (failures > 0) {
        failures--;
        return send(request, response, { status: 503 });
      }
      const call = { method: request.method ?? "", key, query: url.searchParams, headers: request.headers, body };
      if (!hasSignature(call, url)) return send(request, response, refuse(403, "SignatureDoesNotMatch"));
      const isHere = `${url.pathname}/`.startsWith(`/${bucket}/`);
      send(request, response, isHere ? answer(world, call) : refuse(404, "NoSuchBucket"));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    objects: world.objects,
    requests,
    fail: (times) => {
      failures = times;
    },
    openUploads: () => world.uploads.size,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function refuse(status: number, code: string) {
  return { status, body: `<Code>${code}</Code>` };
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

function answer(world: World, call: S3Call): S3Answer {
  const { method, key, query } = call;
  if (query.has("list-type")) return list(world, query);
  if (query.has("uploads")) return begin(world);
  const uploadId = query.get("uploadId");
  if (uploadId !== null) return onUpload(world, call, uploadId);
  if (method === "PUT") return put(world, call);
  if (method === "DELETE") {
    world.objects.delete(key);
    return { status: 204 };
  }
  return get(world, call);
}

function put({ objects }: World, { key, headers, body }: S3Call): S3Answer {
  if (headers["if-none-match"] === "*" && objects.has(key)) return { status: 412 };
  objects.set(key, body);
  return { status: 200, headers: { etag: etagOf(body) } };
}

function get({ objects }: World, { key, headers }: S3Call): S3Answer {
  const bytes = objects.get(key);
  if (bytes === undefined) return { status: 404, body: "<Code>NoSuchKey</Code>" };
  const etag = etagOf(bytes);
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return { status: 412 };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const all = { etag, "content-length": String(bytes.length) };
  if (first === undefined || last === undefined) return { status: 200, headers: all, body: bytes };
  const part = bytes.subarray(Number(first), Number(last) + 1);
  return { status: 206, headers: { etag, "content-length": String(part.length) }, body: part };
}

function list({ objects }: World, query: URLSearchParams): S3Answer {
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter");
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const names = delimiter === null ? keys : [...new Set(keys.map((key) => folderOf(key, prefix, delimiter)))];
  const rest = names.filter((name) => name > after);
  const page = rest.slice(0, pageLength);
  const entries = page.map((name) => (delimiter === null ? contents(name, objects.get(name)) : folder(name)));
  const next = rest.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return { status: 200, body: `<?xml version="1.0"?><ListBucketResult>${entries.join("")}${next}</ListBucketResult>` };
}

function folderOf(key: string, prefix: string, delimiter: string): string {
  return key.slice(0, key.indexOf(delimiter, prefix.length) + 1);
}

function contents(key: string, bytes: Uint8Array = new Uint8Array()): string {
  const etag = etagOf(bytes).replaceAll('"', "&quot;");
  return `<Contents><Key>${key}</Key><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`;
}

function folder(name: string): string {
  return `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`;
}

function begin({ uploads }: World): S3Answer {
  const id = randomUUID();
  uploads.set(id, new Map());
  return {
    status: 200,
    body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  };
}

function onUpload(world: World, call: S3Call, uploadId: string): S3Answer {
  const { method, query, body } = call;
  const upload = world.uploads.get(uploadId);
  if (upload === undefined) return { status: 404, body: "<Code>NoSuchUpload</Code>" };
  if (method === "POST") return complete(world, call, uploadId);
  if (method === "DELETE") {
    world.uploads.delete(uploadId);
    return { status: 204 };
  }
  const source = copySource(world, call);
  if (source === "changed") return { status: 412 };
  const bytes = source ?? body;
  upload.set(Number(query.get("partNumber")), bytes);
  const etag = etagOf(bytes);
  if (source === undefined) return { status: 200, headers: { etag } };
  return { status: 200, body: `<CopyPartResult><ETag>${etag.replaceAll('"', "&quot;")}</ETag></CopyPartResult>` };
}

/** What a part is copied from; undefined where it is sent. */
function copySource({ objects }: World, { headers }: S3Call): Uint8Array | "changed" | undefined {
  const source = headers["x-amz-copy-source"];
  if (typeof source !== "string") return undefined;
  const bytes = objects.get(decodeURIComponent(source).split("/").slice(2).join("/"));
  const isSame = bytes !== undefined && headers["x-amz-copy-source-if-match"] === etagOf(bytes);
  return isSame ? bytes : "changed";
}

function complete({ objects, uploads }: World, { key, body }: S3Call, uploadId: string): S3Answer {
  const upload = uploads.get(uploadId) ?? new Map<number, Uint8Array>();
  const named = [
    ...Buffer.from(body)
      .toString()
      .matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g),
  ];
  const parts = named.map(([, number, etag]) => ({ bytes: upload.get(Number(number)), etag }));
  if (parts.some(({ bytes, etag }) => bytes === undefined || etagOf(bytes) !== etag)) {
    return { status: 400, body: "<Code>InvalidPart</Code>" };
  }
  const chunks = parts.map(({ bytes = new Uint8Array() }) => bytes);
  if (chunks.slice(0, -1).some(({ length }) => length < minPartBytes)) {
    return { status: 400, body: "<Code>EntityTooSmall</Code>" };
  }
  uploads.delete(uploadId);
  objects.set(key, new Uint8Array(Buffer.concat(chunks)));
  return { status: 200, body: `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>` };
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

/**
 * Whether a request is signed with the store's key, in its headers or in its address.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
function hasSignature(call: S3Call, url: URL): boolean {
  const { headers, query } = call;
  const inHeader = /Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(headers.authorization ?? "");
  const [, credential = "", signedHeaders = "", signature = ""] = inHeader ?? [
    "",
    query.get("X-Amz-Credential") ?? "",
    query.get("X-Amz-SignedHeaders") ?? "",
    query.get("X-Amz-Signature") ?? "",
  ];
  const [keyId, ...scope] = credential.split("/");
  const date = String(headers["x-amz-date"] ?? query.get("X-Amz-Date"));
  const contentHash = inHeader === null ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]);
  const isWhole = contentHash === "UNSIGNED-PAYLOAD" || contentHash === sha256(call.body);
  const canonical = [
    call.method,
    url.pathname,
    canonicalQuery(query),
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signedHeaders,
    contentHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  const [day = "", inRegion = "", service = "", end = ""] = scope;
  const key = [day, inRegion, service, end].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return keyId === accessKeyId && inRegion === region && isWhole && hmac(key, toSign).toString("hex") === signature;
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac("sha256", key).update(content).digest();
}
