import { randomUUID } from "node:crypto";
import { etagOf, failure, pageLength, type S3Answer, type S3Call, type S3World } from "./s3-world.ts";

/** The minimum size of every part but the last. */
const minPartBytes = 5 * 1024 * 1024;
const maxParts = 10_000;

/** Begins a multipart upload. */
export function beginUpload({ uploads }: S3World, { key }: S3Call): S3Answer {
  const id = `${randomUUID()}+/=`;
  uploads.set(id, { key, begunAt: Date.now(), parts: new Map() });
  return {
    status: 200,
    body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
  };
}

/** Accepts a part of an upload, completes it or aborts it. */
export function answerOnUpload(world: S3World, call: S3Call, uploadId: string): S3Answer {
  const { method, key, query, body } = call;
  const upload = world.uploads.get(uploadId);
  if (upload?.key !== key) return failure(404, "NoSuchUpload");
  if (method === "POST") return complete(world, call, uploadId);
  if (method === "DELETE") {
    world.uploads.delete(uploadId);
    return { status: 204 };
  }
  const source = copySource(world, call);
  if (source === "changed") return failure(412, "PreconditionFailed");
  const number = Number(query.get("partNumber"));
  if (!(number >= 1 && number <= maxParts)) return failure(400, "InvalidArgument");
  const bytes = source ?? body;
  upload.parts.set(number, bytes);
  const etag = etagOf(bytes);
  if (source === undefined) return { status: 200, headers: { etag } };
  return { status: 200, body: `<CopyPartResult><ETag>${etag.replaceAll('"', "&quot;")}</ETag></CopyPartResult>` };
}

/** A page of the open uploads, ordered by key. */
export function listUploads({ uploads }: S3World, query: URLSearchParams): S3Answer {
  const [prefix, afterKey, afterId] = ["prefix", "key-marker", "upload-id-marker"].map((name) => query.get(name) ?? "");
  const rest = [...uploads]
    .map(([id, { key, begunAt }]) => ({ id, key, begunAt, order: `${key} ${id}` }))
    .filter(({ key, order }) => key.startsWith(prefix ?? "") && order > `${afterKey} ${afterId}`)
    .sort((left, right) => (left.order < right.order ? -1 : 1));
  const page = rest.slice(0, pageLength);
  const entries = page.map(({ id, key, begunAt }) => {
    const initiated = new Date(begunAt).toISOString();
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
  });
  const last = page.at(-1);
  const next = `<NextKeyMarker>${last?.key}</NextKeyMarker><NextUploadIdMarker>${last?.id}</NextUploadIdMarker>`;
  const more = rest.length > page.length;
  const body = `<IsTruncated>${more}</IsTruncated>${more ? next : ""}${entries.join("")}`;
  return { status: 200, body: `<ListMultipartUploadsResult>${body}</ListMultipartUploadsResult>` };
}

/** The bytes that a part is copied from; undefined where the request contains the part. */
function copySource({ objects }: S3World, { headers }: S3Call): Uint8Array | "changed" | undefined {
  const source = headers["x-amz-copy-source"];
  if (typeof source !== "string") return undefined;
  const bytes = objects.get(decodeURIComponent(source).split("/").slice(2).join("/"));
  const isSame = bytes !== undefined && headers["x-amz-copy-source-if-match"] === etagOf(bytes);
  return isSame ? bytes : "changed";
}

function complete({ objects, uploads }: S3World, { key, body }: S3Call, uploadId: string): S3Answer {
  const parts = uploads.get(uploadId)?.parts ?? new Map<number, Uint8Array>();
  const named = [
    ...Buffer.from(body)
      .toString()
      .matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g),
  ].map(([, number, etag]) => ({ number: Number(number), etag }));
  if (named.length === 0) return failure(400, "MalformedXML");
  if (named.some(({ number }, index) => number <= (named[index - 1]?.number ?? 0)))
    return failure(400, "InvalidPartOrder");
  const chunks = named.map(({ number, etag }) => ({ bytes: parts.get(number) ?? new Uint8Array(), etag }));
  if (chunks.some(({ bytes, etag }) => etagOf(bytes) !== etag)) return failure(400, "InvalidPart");
  if (chunks.slice(0, -1).some(({ bytes }) => bytes.length < minPartBytes)) return failure(400, "EntityTooSmall");
  uploads.delete(uploadId);
  objects.set(key, new Uint8Array(Buffer.concat(chunks.map(({ bytes }) => bytes))));
  return { status: 200, body: `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>` };
}
