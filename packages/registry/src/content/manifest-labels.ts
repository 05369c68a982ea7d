import { randomUUID } from "node:crypto";
import { problemOfJson, usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import type { Insertable } from "kysely";
import type { ManifestLabelTable } from "../store/tables/content.ts";

/** The default media type of a label's value: JSON for an object or a list, otherwise text, also if it would take long to parse. */
export function labelMediaType(value: string): "application/json" | "text/plain" {
  if (!/^\s*[[{]/.test(value) || problemOfJson(value, usualJsonLimits) !== undefined) return "text/plain";
  try {
    JSON.parse(value);
    return "application/json";
  } catch {
    return "text/plain";
  }
}

/** The bytes of a label that count for a namespace. */
export function labelBytes(key: string, value: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value);
}

/** The labels of an image: those of its configuration, overridden by the annotations of its manifest. */
export interface ManifestLabels {
  readonly manifestId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly now: number;
}

/** The rows of a new manifest's own labels. They cannot be changed. */
export function ownLabels({ manifestId, labels, now }: ManifestLabels): readonly Insertable<ManifestLabelTable>[] {
  return Object.entries(labels).map(([key, value]) => ({
    id: randomUUID(),
    manifest_id: manifestId,
    key,
    value,
    source_type: "manifest",
    media_type: labelMediaType(value),
    created_at: now,
  }));
}
