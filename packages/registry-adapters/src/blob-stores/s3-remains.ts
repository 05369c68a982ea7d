import type { S3Client } from "./s3-client.ts";
import { readXml, type S3Element } from "./s3-xml.ts";

/**
 * Aborts multipart uploads that began before an instant (epoch milliseconds), of objects whose keys have a prefix. Processes that
 * were killed leave them. Stores keep and charge for their parts until they are aborted. Does nothing for a store that cannot list them.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 * @throws BlobStoreError `unavailable`
 */
export async function abortMultipartUploads(client: S3Client, prefix: string, before: number): Promise<void> {
  for await (const page of listPages(client, prefix)) {
    for (const upload of page.all("Upload")) {
      if (!(Date.parse(upload.text("Initiated") ?? "") < before)) continue;
      const uploadId = upload.text("UploadId") ?? "";
      await client.send({ method: "DELETE", key: upload.text("Key") ?? "", query: { uploadId } });
    }
  }
}

async function* listPages(client: S3Client, prefix: string): AsyncIterable<S3Element> {
  let markers = {};
  for (;;) {
    const { text } = await client.send({ method: "GET", query: { uploads: "", prefix, ...markers } });
    const page = readXml(text);
    yield page;
    if (page.text("IsTruncated") !== "true") return;
    markers = {
      "key-marker": page.text("NextKeyMarker") ?? "",
      "upload-id-marker": page.text("NextUploadIdMarker") ?? "",
    };
  }
}
