import type { RegistryFigures } from "@plimsoll/registry-api";

/** The registry's metrics in Prometheus' text format. @param store the kind of its blob store: `files` or `s3` */
export function registryFigures(figures: RegistryFigures, store: string): string {
  const { stored, uploads, uploadBytes, queuedScans, damagedBlobs, collectedAt } = figures;
  const of = `{store="${store}"}`;
  return [
    gauge("plimsoll_storage_blobs", "Blobs in the store, as the last collection counted them.", {
      labels: of,
      value: stored?.blobs,
    }),
    gauge("plimsoll_storage_bytes", "Bytes of the blobs in the store, likewise.", { labels: of, value: stored?.bytes }),
    gauge("plimsoll_uploads", "Uploads of blobs under way.", { value: uploads }),
    gauge("plimsoll_upload_bytes", "Bytes that have come of uploads under way.", { value: uploadBytes }),
    gauge("plimsoll_damaged_blobs", "Blobs that are known to be missing or damaged in the store.", {
      value: damagedBlobs,
    }),
    gauge("plimsoll_scans_queued", "Images in the registry that wait to be read.", { value: queuedScans }),
    gauge(
      "plimsoll_collection_last_success_timestamp_seconds",
      "When the last collection of garbage began that came to its end.",
      { value: collectedAt === undefined ? undefined : collectedAt / 1000 },
    ),
  ].join("");
}

/** A gauge; without a sample if its value is unknown. */
function gauge(
  name: string,
  help: string,
  { labels = "", value }: { readonly labels?: string; readonly value: number | undefined },
): string {
  const sample = value === undefined ? "" : `${name}${labels} ${value}\n`;
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${sample}`;
}
