import { answerOnUpload, beginUpload, listUploads } from "./s3-multipart.ts";
import { etagOf, failure, pageLength, type S3Answer, type S3Call, type S3World } from "./s3-world.ts";

/** The answer to a request with a valid signature. */
export function answerCall(world: S3World, call: S3Call): S3Answer {
  const { method, key, query } = call;
  if (query.has("list-type")) return list(world, query);
  if (query.has("uploads")) return method === "GET" ? listUploads(world, query) : beginUpload(world, call);
  const uploadId = query.get("uploadId");
  if (uploadId !== null) return answerOnUpload(world, call, uploadId);
  if (method === "PUT") return put(world, call);
  if (method === "DELETE") {
    world.objects.delete(key);
    return { status: 204 };
  }
  return get(world, call);
}

function put({ objects, metadata }: S3World, { key, headers, body }: S3Call): S3Answer {
  if (headers["if-none-match"] === "*" && objects.has(key)) return failure(412, "PreconditionFailed");
  objects.set(key, body);
  const said = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-meta-"));
  metadata.set(key, Object.fromEntries(said) as Record<string, string>);
  return { status: 200, headers: { etag: etagOf(body) } };
}

function get({ objects, metadata }: S3World, { key, headers }: S3Call): S3Answer {
  const bytes = objects.get(key);
  if (bytes === undefined) return failure(404, "NoSuchKey");
  const etag = etagOf(bytes);
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return failure(412, "PreconditionFailed");
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const said = { ...metadata.get(key), etag };
  if (first === undefined || last === undefined) {
    return { status: 200, headers: { ...said, "content-length": String(bytes.length) }, body: bytes };
  }
  if (Number(first) >= bytes.length) return failure(416, "InvalidRange");
  const part = bytes.subarray(Number(first), Number(last) + 1);
  return { status: 206, headers: { ...said, "content-length": String(part.length) }, body: part };
}

function list({ objects }: S3World, query: URLSearchParams): S3Answer {
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

/** Escapes quotes as MinIO and versitygw do. */
function contents(key: string, bytes: Uint8Array = new Uint8Array()): string {
  const etag = etagOf(bytes).replaceAll('"', "&#34;");
  return `<Contents><Key>${key}</Key><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`;
}

function folder(name: string): string {
  return `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`;
}
