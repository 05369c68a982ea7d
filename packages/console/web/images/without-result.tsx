import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { texts } from "../texts/texts.ts";
import { missingResultText, type ScanStatus } from "./shown-image.ts";

interface Props {
  readonly status: ScanStatus;
  readonly reason?: string | undefined;
}

/** The reason why a scan has no result. For superusers, it links to the scan jobs if one waits or has failed. */
export function WithoutResult({ status, reason }: Props) {
  const isSuperuser = useCurrentUser().data?.super_user === true;
  const state = { queued: "waiting", failed: "dead" }[status as string];
  return (
    <>
      <p role="status">{missingResultText(status, reason)}</p>
      {isSuperuser && state !== undefined && (
        <p>
          <Link href={`/admin?view=jobs&state=${state}`}>{texts.image.jobs}</Link>
        </p>
      )}
    </>
  );
}
