import { hash } from "node:crypto";
import type { IndexRecord } from "@plimsoll/core/match";
import { stableJson } from "./stable-json.ts";

/** An encoded record. The same unit of matching has the same text in every image. */
export interface EncodedRecord {
  /** 128 bits of the SHA-256 digest of the text. */
  readonly contentId: string;
  readonly text: string;
}

/** Encodes a record without its ids, which are valid only in one report. */
export function encodeRecord(record: IndexRecord): EncodedRecord {
  const text = stableJson(record, ["id"]);
  return { contentId: hash("sha256", text, "base64url").slice(0, 22), text };
}

/** Decodes the text of {@link encodeRecord}; ids are empty. */
export function decodeRecord(text: string): IndexRecord {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? { id: "", ...value } : value,
  );
}
