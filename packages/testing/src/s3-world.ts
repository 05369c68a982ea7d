import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Parts of an object that is not there yet. */
export interface S3Upload {
  readonly key: string;
  readonly begunAt: number;
  readonly parts: Map<number, Uint8Array>;
}

/** What a store holds. */
export interface S3World {
  readonly objects: Map<string, Uint8Array>;
  readonly metadata: Map<string, Readonly<Record<string, string>>>;
  readonly uploads: Map<string, S3Upload>;
}

/** A request that has been read and whose signature is right. */
export interface S3Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** What it is answered. */
export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** How many keys a page of a list has: few, so that tests see several. */
export const pageLength = 3;

/** Of what is kept: a list has the ETag of everything in it. */
const etags = new WeakMap<Uint8Array, string>();

/** The ETag of an object or a part. */
export function etagOf(bytes: Uint8Array): string {
  const etag = etags.get(bytes) ?? `"${createHash("md5").update(bytes).digest("hex")}"`;
  etags.set(bytes, etag);
  return etag;
}

/** An error as stores describe it. */
export function failure(status: number, code: string): S3Answer {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is ${code}.</Message></Error>`;
  return { status, headers: { "content-type": "application/xml" }, body };
}
