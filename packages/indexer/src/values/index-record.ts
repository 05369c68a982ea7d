import { hash } from "node:crypto";
import type { MatchKey } from "@plimsoll/core/internal";
import type { IndexRecord } from "@plimsoll/core/match";

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

/**
 * Formats a value as JSON that depends only on the value: members are sorted by name.
 * @param omitted the names of members that are left out at any depth
 */
export function stableJson(value: unknown, omitted: readonly string[] = []): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map((item) => stableJson(item, omitted)).join(",")}]`;
  const members: string[] = [];
  for (const name of Object.keys(value).sort()) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (member === undefined || omitted.includes(name)) continue;
    members.push(`${JSON.stringify(name)}:${stableJson(member, omitted)}`);
  }
  return `{${members.join(",")}}`;
}

/** A key as one string, for maps. */
export function keyText({ ecosystem, name }: MatchKey): string {
  return `${ecosystem}\n${name}`;
}
