import { AwsClient } from "aws4fetch";
import { BlobStoreError } from "../../ports.ts";

/** Where a bucket is and who may use it. */
export interface S3Location {
  /** `https://s3.eu-central-1.amazonaws.com`, or another store that speaks the same protocol. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** An object as a list names it. */
export interface S3Object {
  readonly key: string;
  readonly sizeBytes: number;
  /** Changes with the content. */
  readonly etag: string;
}

/**
 * A request to a bucket. That an object is missing, or is not as it was, is an answer like others; everything else that fails is
 * thrown.
 */
export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A bucket of an S3-compatible store, by path-style addresses. */
export interface S3Bucket {
  /** @throws BlobStoreError `unavailable` */
  send(request: S3Request): Promise<Response>;
  /** The objects whose keys begin so, in the order of their keys. */
  list(prefix: string): AsyncIterable<S3Object>;
  /** What stands between a prefix and the next slash. */
  listFolders(prefix: string): AsyncIterable<string>;
  /** An address that lets anybody read an object for a while. */
  presign(key: string, seconds: number): Promise<string>;
  /** How a copy names its source. */
  sourceOf(key: string): string;
}

/** Opens a bucket. Requests that fail at the store are tried again a few times. */
export function openS3Bucket(location: S3Location): S3Bucket {
  const { endpoint, bucket, ...credentials } = location;
  const client = new AwsClient({ ...credentials, service: "s3", retries: 3 });
  const base = `${endpoint.replace(/\/+$/, "")}/${bucket}`;

  async function send({ method, key = "", query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const search = new URLSearchParams(query).toString();
    const url = `${base}${key === "" ? "" : `/${key}`}${search === "" ? "" : `?${search}`}`;
    const init = {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    };
    const response = await client.fetch(url, init).catch((cause: unknown) => {
      throw new BlobStoreError("unavailable", "the blob store cannot be reached", { cause });
    });
    const isMissing = response.status === 404 && (method !== "PUT" || "x-amz-copy-source" in headers) && key !== "";
    if (response.ok || isMissing || response.status === 412 || response.status === 416) return response;
    const text = method === "HEAD" ? "" : (await response.text()).slice(0, 500);
    throw new BlobStoreError("unavailable", `the blob store answered ${response.status} to ${method}: ${text}`);
  }

  async function* listPages(query: Readonly<Record<string, string>>): AsyncIterable<string> {
    let token: string | undefined;
    do {
      const more = token === undefined ? {} : { "continuation-token": token };
      const response = await send({ method: "GET", query: { "list-type": "2", ...query, ...more } });
      const page = await response.text();
      yield page;
      token = elementOf(page, "NextContinuationToken");
    } while (token !== undefined);
  }

  return {
    send,
    async *list(prefix) {
      for await (const page of listPages({ prefix })) {
        for (const entry of elementsOf(page, "Contents")) {
          yield {
            key: elementOf(entry, "Key") ?? "",
            sizeBytes: Number(elementOf(entry, "Size")),
            etag: elementOf(entry, "ETag") ?? "",
          };
        }
      }
    },
    async *listFolders(prefix) {
      for await (const page of listPages({ prefix, delimiter: "/" })) {
        for (const entry of elementsOf(page, "CommonPrefixes")) {
          yield (elementOf(entry, "Prefix") ?? "").slice(prefix.length, -1);
        }
      }
    },
    async presign(key, seconds) {
      const signed = await client.sign(`${base}/${key}?X-Amz-Expires=${seconds}`, { aws: { signQuery: true } });
      return signed.url;
    },
    sourceOf: (key) => `/${bucket}/${key}`,
  };
}

/** The text of the first element of a name in an answer of the store, whose XML has neither attributes there nor CDATA. */
export function elementOf(xml: string, name: string): string | undefined {
  const [text] = elementsOf(xml, name);
  return text?.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

function elementsOf(xml: string, name: string): readonly string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, "g"))].map(([, text = ""]) => text);
}
