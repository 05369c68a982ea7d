import { withoutUndefined } from "@plimsoll/core/internal";
import { createS3Client, type S3Client, type S3Location } from "./s3-client.ts";
import { writerOfNew } from "./s3-new-objects.ts";
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
      const page = readXml(text);
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
