import type { S3Client } from "./s3-client.ts";
import { elementOf, elementsOf } from "./s3-xml.ts";

/**
 * Aborts multipart uploads of objects whose keys begin so that were begun before an instant (epoch milliseconds): their processes
 * died. Stores keep their parts, and want them paid, until somebody does. Where a store cannot list them, nothing happens.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 * @throws BlobStoreError `unavailable`
 */
export async function abortMultipartUploads(client: S3Client, prefix: string, before: number): Promise<void> {
  for await (const page of listPages(client, prefix)) {
    for (const upload of elementsOf(page, "Upload")) {
      if (!(Date.parse(elementOf(upload, "Initiated") ?? "") < before)) continue;
      const uploadId = elementOf(upload, "UploadId") ?? "";
      await client.send({ method: "DELETE", key: elementOf(upload, "Key") ?? "", query: { uploadId } });
    }
  }
}

async function* listPages(client: S3Client, prefix: string): AsyncIterable<string> {
  let markers = {};
  for (;;) {
    const { text } = await client.send({ method: "GET", query: { uploads: "", prefix, ...markers } });
    yield text;
    if (elementOf(text, "IsTruncated") !== "true") return;
    const next = { key: elementOf(text, "NextKeyMarker"), uploadId: elementOf(text, "NextUploadIdMarker") };
    markers = { "key-marker": next.key ?? "", "upload-id-marker": next.uploadId ?? "" };
  }
}
