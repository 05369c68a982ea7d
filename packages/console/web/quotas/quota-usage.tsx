import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

const words = texts.quotas;

/** The usage and the quota of a namespace, in bytes. A null quota is unlimited. */
export interface QuotaReport {
  readonly quota_bytes: number;
  readonly configured_quota: number | null;
}

/** The usage of a quota, as text and as a bar. */
export function QuotaUsage({
  report: { quota_bytes: used, configured_quota: limit },
}: {
  readonly report: QuotaReport;
}) {
  if (limit === null) return <p>{words.used(formatSize(used))}</p>;
  const percent = limit === 0 ? 100 : Math.round((used / limit) * 100);
  return (
    <>
      <p>{words.usedOf(formatSize(used), formatSize(limit), percent)}</p>
      <meter aria-label={words.meter} min={0} max={Math.max(1, limit)} high={0.8 * limit} value={used} />
    </>
  );
}
