import { hash } from "node:crypto";
import type { IndexRecord } from "@plimsoll/core";
import { stableJson } from "./stable-json.ts";

/** A record as it is stored: the same unit of matching always gives the same text, whatever image it is in. */
export interface EncodedRecord {
  /** 128 bits of the SHA-256 digest of the text. */
  readonly contentId: string;
  readonly text: string;
}

/** Leaves out the ids, which mean something only in one report. */
export function encodeRecord(record: IndexRecord): EncodedRecord {
  const text = stableJson(record, ["id"]);
  return { contentId: hash("sha256", text, "base64url").slice(0, 22), text };
}

/** The record of {@link encodeRecord}; its ids are empty. */
export function decodeRecord(text: string): IndexRecord {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? { id: "", ...value } : value,
  );
}
