import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** An open multipart upload. */
export interface S3Upload {
  readonly key: string;
  readonly begunAt: number;
  readonly parts: Map<number, Uint8Array>;
}

/** The contents of a store. */
export interface S3World {
  readonly objects: Map<string, Uint8Array>;
  readonly metadata: Map<string, Readonly<Record<string, string>>>;
  readonly uploads: Map<string, S3Upload>;
}

/** A request that has been read and has a valid signature. */
export interface S3Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** The answer to an {@link S3Call}. */
export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** The number of keys in a page of a list: small, so that tests see several pages. */
export const pageLength = 3;

/** The ETags of stored bytes, computed once: lists need them all. */
const etags = new WeakMap<Uint8Array, string>();

/** The ETag of an object or a part. */
export function etagOf(bytes: Uint8Array): string {
  const etag = etags.get(bytes) ?? `"${createHash("md5").update(bytes).digest("hex")}"`;
  etags.set(bytes, etag);
  return etag;
}

/** An error response of S3. */
export function failure(status: number, code: string): S3Answer {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is ${code}.</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}
