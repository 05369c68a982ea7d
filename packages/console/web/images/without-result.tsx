import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import { texts } from "../texts/texts.ts";
import { type ScanStatus, withoutResult } from "./shown-image.ts";

interface Props {
  readonly status: ScanStatus;
  readonly reason?: string | undefined;
}

/** Why there is no result of a scan. Superusers are led to the jobs that scan, where one waits or has failed. */
export function WithoutResult({ status, reason }: Props) {
  const isSuperuser = useCurrentUser().data?.super_user === true;
  const state = { queued: "waiting", failed: "dead" }[status as string];
  return (
    <>
      <p role="status">{withoutResult(status, reason)}</p>
      {isSuperuser && state !== undefined && (
        <p>
          <Link href={`/admin?view=jobs&state=${state}`}>{texts.image.jobs}</Link>
        </p>
      )}
    </>
  );
}
