import { useChange } from "../api/use-change.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownMirror } from "./mirror-fields.tsx";

const words = texts.mirrors;

/** The state of a mirror, with buttons that synchronize or cancel. */
export function MirrorState({ repository, mirror }: { readonly repository: string; readonly mirror: ShownMirror }) {
  const { sync_status: status, sync_start_date: next, sync_retries_remaining: retries, is_enabled: isEnabled } = mirror;
  const given = { params: { repository } };
  const sync = useChange("POST /repository/{repository}/mirror/sync-now", ["GET /repository/{repository}/mirror"]);
  const cancel = useChange("POST /repository/{repository}/mirror/sync-cancel", ["GET /repository/{repository}/mirror"]);
  return (
    <>
      <dl className="facts">
        <dt>{words.reference}</dt>
        <dd>{mirror.external_reference}</dd>
        <dt>{words.state}</dt>
        <dd>
          <span role="status">
            {words.states[status]} {!isEnabled && words.off}
          </span>
        </dd>
        <dt>{words.next}</dt>
        <dd>{next === null || !isEnabled ? words.none : <Time at={Date.parse(next)} />}</dd>
        <dt>{words.retries}</dt>
        <dd>{retries ?? words.none}</dd>
      </dl>
      <div className="actions">
        <ActionButton label={words.sync} change={sync} given={given} />
        {(status === "SYNC_NOW" || status === "SYNCING") && (
          <ActionButton label={words.cancel} change={cancel} given={given} />
        )}
      </div>
    </>
  );
}
