import { createHash, createHmac } from "node:crypto";
import type { S3Call } from "./s3-world.ts";

/** The credentials whose signatures are valid. */
export interface S3Signer {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/**
 * Whether a request is signed with the store's key, in its headers or in its URL. A signature in the headers must contain the
 * hash of the content, or `UNSIGNED-PAYLOAD`.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function hasSignature(call: S3Call, url: URL, signer: S3Signer): boolean {
  const { headers, query } = call;
  const inHeader = /Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(headers.authorization ?? "");
  const [, credential = "", signedHeaders = "", signature = ""] = inHeader ?? [
    "",
    query.get("X-Amz-Credential") ?? "",
    query.get("X-Amz-SignedHeaders") ?? "",
    query.get("X-Amz-Signature") ?? "",
  ];
  const [keyId, ...scope] = credential.split("/");
  const date = String(headers["x-amz-date"] ?? query.get("X-Amz-Date"));
  const contentHash = inHeader === null ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]);
  const isWhole = contentHash === "UNSIGNED-PAYLOAD" || contentHash === sha256(call.body);
  const canonical = [
    call.method,
    url.pathname,
    canonicalQuery(query),
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signedHeaders,
    contentHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, scope.join("/"), sha256(canonical)].join("\n");
  const [day = "", inRegion = "", service = "", end = ""] = scope;
  const key = [day, inRegion, service, end].reduce<string | Buffer>(hmac, `AWS4${signer.secretAccessKey}`);
  return (
    keyId === signer.accessKeyId &&
    inRegion === signer.region &&
    isWhole &&
    hmac(key, toSign).toString("hex") === signature
  );
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac("sha256", key).update(content).digest();
}
