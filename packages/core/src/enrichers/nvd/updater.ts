import { nvdRecordsUpdater } from "../../feeds/nvd/records-updater.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { Updater } from "../../plugins/updater.ts";
import { packMetrics, readNvdRecord } from "./cve-record.ts";

/** Reads the scores of the National Vulnerability Database. */
export const nvdUpdater: Updater<EnrichmentRecord> = nvdRecordsUpdater({
  name: "nvd",
  scope: { partBytes: {}, sharedBytes: 130e6 },
  revision: 1,
  read(place, readPart) {
    const { cve, metrics } = readNvdRecord(place, readPart);
    return { record: cve, items: metrics.length === 0 ? [] : [{ tags: [cve], record: packMetrics(metrics) }] };
  },
});
