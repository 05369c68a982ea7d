import type { ByteRange } from "@plimsoll/registry/ports/blob-store";

/** The part of a blob that a `Range` header requests. */
export type RequestedRange =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly range: ByteRange }
  | { readonly kind: "unsatisfiable" };

/**
 * Parses a `Range` header with one range of bytes. Other headers mean the whole blob.
 *
 * bytes=FIRST-LAST | bytes=FIRST- | bytes=-LENGTH
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.2
 */
export function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return { kind: "whole" };
  const range = first === "" ? suffix(Number(last), sizeBytes) : clipped(Number(first), last, sizeBytes);
  const isInside = range.first < sizeBytes && range.first <= range.last;
  return isInside ? { kind: "part", range } : { kind: "unsatisfiable" };
}

function suffix(length: number, sizeBytes: number): ByteRange {
  return { first: length === 0 ? sizeBytes : Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
}

function clipped(first: number, last: string, sizeBytes: number): ByteRange {
  if (last !== "" && Number(last) < first) return { first: sizeBytes, last: first };
  return { first, last: last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}

/**
 * Parses the `Content-Range` of a chunk: `FIRST-LAST`. A unit and a total are optional and ignored.
 * @returns undefined for anything else
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pushing-a-blob-in-chunks
 */
export function parseContentRange(header: string): ByteRange | undefined {
  const [, first, last] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/(?:\d+|\*))?$/.exec(header.trim()) ?? [];
  if (first === undefined || last === undefined || Number(last) < Number(first)) return undefined;
  return { first: Number(first), last: Number(last) };
}
