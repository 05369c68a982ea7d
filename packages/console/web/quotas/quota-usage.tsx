import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

const words = texts.quotas;

/** The usage and the quota of a namespace, in bytes. A null quota is unlimited. */
export interface QuotaReport {
  readonly quota_bytes: number;
  readonly configured_quota: number | null;
  /** Bytes of manifests and labels. */
  readonly metadata_bytes?: number | undefined;
}

/** The bytes of manifests and labels that count for no quota. */
const freeMetadataBytes = 1024 * 1024;

/** The usage of a quota, as text and as a bar. */
export function QuotaUsage({
  report: { quota_bytes: blobBytes, configured_quota: limit, metadata_bytes: metadataBytes = 0 },
}: {
  readonly report: QuotaReport;
}) {
  const used = blobBytes + Math.max(0, metadataBytes - freeMetadataBytes);
  if (limit === null) return <p>{words.used(formatSize(used))}</p>;
  const percent = limit === 0 ? 100 : Math.round((used / limit) * 100);
  return (
    <>
      <p>{words.usedOf(formatSize(used), formatSize(limit), percent)}</p>
      {used > blobBytes && <p>{words.metadata(formatSize(metadataBytes))}</p>}
      <meter
        aria-label={words.meter}
        min={0}
        low={0.8 * limit}
        high={limit}
        optimum={0}
        max={Math.max(1, limit * 1.01)} // a meter is red above `high`, which its value cannot be where that is its end
        value={used}
      />
    </>
  );
}

interface Props {
  readonly name: string;
  /** The namespace whose quota is shown; empty: none. */
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

/** A button that shows and hides the quota of a namespace below a list. */
export function QuotaButton({ name, chosen, choose }: Props) {
  return (
    <button
      type="button"
      className="quiet"
      aria-expanded={chosen === name}
      onClick={() => choose(chosen === name ? "" : name)}
    >
      {texts.quotas.title}
    </button>
  );
}
