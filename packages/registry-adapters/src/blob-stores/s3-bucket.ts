import { randomUUID } from "node:crypto";
import { withoutUndefined } from "@plimsoll/core/internal";
import { createS3Client, type S3Answer, type S3Client, type S3Location } from "./s3-client.ts";
import { readXml, type S3Element } from "./s3-xml.ts";

/** An object, as a listing shows it. */
export interface S3Object {
  readonly key: string;
  readonly sizeBytes: number;
  /** Changes with the content. */
  readonly etag: string;
}

/** A bucket of an S3-compatible store. */
export interface S3Bucket extends S3Client {
  /** Writes an object if there is none under its key. @returns its ETag; undefined where there is one */
  putNew(key: string, body: Uint8Array): Promise<string | undefined>;
  /** The objects whose keys have the prefix, in the order of their keys. */
  list(prefix: string): AsyncIterable<S3Object>;
  /** The distinct parts of keys between the prefix and the next slash. */
  listFolders(prefix: string): AsyncIterable<string>;
  /** The value of `x-amz-copy-source` for an object of this bucket. */
  sourceOf(key: string): string;
}

/** Opens a bucket. */
export function openS3Bucket(location: S3Location): S3Bucket {
  const client = createS3Client(location);

  async function* listPages(query: Readonly<Record<string, string>>): AsyncIterable<S3Element> {
    let token: string | undefined;
    do {
      const asked = withoutUndefined({ "list-type": "2", ...query, "continuation-token": token });
      const { text } = await client.send({ method: "GET", query: asked });
      const page = await readXml(text);
      yield page;
      token = page.text("NextContinuationToken");
    } while (token !== undefined);
  }

  return {
    ...client,
    putNew: writerOfNew(client),
    async *list(prefix) {
      for await (const page of listPages({ prefix })) {
        for (const entry of page.all("Contents")) {
          yield {
            key: entry.text("Key") ?? "",
            sizeBytes: Number(entry.text("Size")),
            etag: entry.text("ETag") ?? "",
          };
        }
      }
    },
    async *listFolders(prefix) {
      for await (const page of listPages({ prefix, delimiter: "/" })) {
        for (const entry of page.all("CommonPrefixes")) {
          yield (entry.text("Prefix") ?? "").slice(prefix.length, -1);
        }
      }
    },
    sourceOf: (key) => `/${location.bucket}/${key}`,
  };
}

/** Metadata that identifies the write that created an object. */
const writerHeader = "x-amz-meta-writer";

/**
 * Writes objects only where there are none. Each write has its own identifier, stored with the object: if the response to a write
 * is lost and its retry is refused, the identifier shows that the first attempt succeeded. For a store without conditional writes
 * (OpenStack Swift answers 501), a `HEAD` request checks first whether there is an object; of two simultaneous writers, the last
 * one wins there.
 * @returns the ETag; undefined where there is one already
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
function writerOfNew(client: S3Client): (key: string, body: Uint8Array) => Promise<string | undefined> {
  let isConditional = true;

  async function putUnlessThere(request: PutRequest): Promise<S3Answer | undefined> {
    const isThere = (await client.send({ method: "HEAD", key: request.key })).ok;
    return isThere ? undefined : client.send(request);
  }

  async function put(request: PutRequest): Promise<S3Answer | undefined> {
    if (!isConditional) return putUnlessThere(request);
    const answer = await client.send({ ...request, headers: { ...request.headers, "if-none-match": "*" } });
    if (answer.status !== 501) return answer;
    isConditional = false;
    return putUnlessThere(request);
  }

  return async (key, body) => {
    const writer = randomUUID();
    const answer = await put({ method: "PUT", key, headers: { [writerHeader]: writer }, body });
    if (answer?.ok) return answer.headers.etag ?? "";
    const { headers } = await client.send({ method: "HEAD", key });
    return headers[writerHeader] === writer ? (headers.etag ?? "") : undefined;
  };
}

interface PutRequest {
  readonly method: "PUT";
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
