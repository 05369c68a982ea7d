import { randomUUID } from "node:crypto";
import type { S3Answer, S3Client } from "./s3-client.ts";

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
export function writerOfNew(client: S3Client): (key: string, body: Uint8Array) => Promise<string | undefined> {
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
