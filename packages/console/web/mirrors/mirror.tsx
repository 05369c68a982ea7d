import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation, useOptional } from "../api/use-operation.ts";
import { apiDay, logDays } from "../logs/log-calls.ts";
import { namedRepositoryPath } from "../places.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { parseCommaList, TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { IntervalField, LoginFields, TagsFields, typedUpstream } from "./upstream-fields.tsx";

const words = texts.mirrors;

/** How often the state is fetched again, in milliseconds: during a synchronization, and otherwise. */
const [busyMs, idleMs] = [2000, 15_000] as const;

/** The mirror of a repository: its current state and its settings, or a form that makes the repository a mirror. */
export function Mirror({ repository }: { readonly repository: ShownRepository }) {
  const { namespace } = repository;
  const params = { repository: `${namespace}/${repository.name}` };
  const mirror = useOptional(
    "GET /repository/{repository}/mirror",
    { params },
    { refetchInterval: ({ state }) => (isBusy(state.data?.sync_status) ? busyMs : idleMs) },
  );
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={mirror}>
        {(shown) =>
          shown === null ? (
            <NewMirror namespace={namespace} repository={params.repository} />
          ) : (
            <>
              <MirrorState repository={params.repository} mirror={shown} />
              <MirrorSettings namespace={namespace} repository={params.repository} mirror={shown} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}

function isBusy(status: string | undefined): boolean {
  return status === "SYNC_NOW" || status === "SYNCING";
}

function NewMirror({ namespace, repository }: { readonly namespace: string; readonly repository: string }) {
  const change = useChange("POST /repository/{repository}/mirror", [
    "GET /repository/{repository}/mirror",
    "GET /repository/{repository}",
  ]);
  return (
    <ChangeForm
      layout="fields"
      label={words.create}
      change={change}
      given={(typed) => ({ params: { repository }, body: typedMirror(typed) })}
    >
      <MirrorFields namespace={namespace} />
    </ChangeForm>
  );
}

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly mirror: ShownMirror;
}

/** Changes the settings of a mirror. */
function MirrorSettings({ namespace, repository, mirror }: Props) {
  const change = useChange("PUT /repository/{repository}/mirror", ["GET /repository/{repository}/mirror"]);
  return (
    <details>
      <summary>{words.settings}</summary>
      <EditForm
        layout="fields"
        label={words.save}
        change={change}
        given={(typed) => ({ params: { repository }, body: typedMirror(typed) })}
        value={mirror}
        fields={(shown) => <MirrorFields namespace={namespace} mirror={shown} />}
      />
    </details>
  );
}

/** The state of a mirror, with buttons that synchronize or cancel. */
function MirrorState({ repository, mirror }: { readonly repository: string; readonly mirror: ShownMirror }) {
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
      {status === "FAIL" && <Failures repository={repository} />}
      <div className="actions">
        <ActionButton label={words.sync} change={sync} given={given} />
        {(status === "SYNC_NOW" || status === "SYNCING") && (
          <ActionButton label={words.cancel} change={cancel} given={given} />
        )}
      </div>
    </>
  );
}

/** How many reasons are shown. */
const shownReasons = 5;

/** Why the last synchronizations failed, the latest first. */
function Failures({ repository }: { readonly repository: string }) {
  const days = logDays("", "", Date.now());
  const log = useOperation("GET /repository/{repository}/logs", {
    params: { repository },
    query: {
      kinds: "repo_mirror_sync_failed,repo_mirror_sync_tag_failed",
      ...{ starttime: apiDay(days.from), endtime: apiDay(days.to) },
    },
  });
  return (
    <>
      <h3>{words.failures}</h3>
      <Answered query={log}>
        {({ logs }) =>
          logs.length === 0 ? (
            <p className="empty">{words.noFailures}</p>
          ) : (
            <ul>
              {logs.slice(0, shownReasons).map(({ metadata, datetime, kind }) => (
                <li key={`${datetime} ${kind} ${metadata.tag}`}>
                  <Time at={Date.parse(datetime)} />: {String(metadata.message)}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
      <p>
        <Link href={`${namedRepositoryPath(repository)}?view=logs`}>{words.log}</Link>
      </p>
    </>
  );
}

/** A mirror as the management API shows it. */
export type ShownMirror = ResultOf<"GET /repository/{repository}/mirror">;

interface FieldsProps {
  readonly namespace: string;
  /** The mirror to change; absent for a new one. */
  readonly mirror?: ShownMirror;
}

/** The fields of a mirror's settings. */
export function MirrorFields({ namespace, mirror }: FieldsProps) {
  const start = mirror?.sync_start_date == null ? new Date() : new Date(mirror.sync_start_date);
  return (
    <>
      <TextField
        name="reference"
        label={words.reference}
        rule={words.referenceRule}
        required
        maxLength={512}
        defaultValue={mirror?.external_reference}
      />
      <TagsFields namespace={namespace} tags={mirror?.root_rule.rule_value} mirror={mirror} />
      <IntervalField mirror={mirror} />
      <TextField name="start" label={words.start} type="datetime-local" required defaultValue={localText(start)} />
      <LoginFields mirror={mirror} />
    </>
  );
}

/** The values of these fields, as the body of a request. */
export function typedMirror(typed: Typed) {
  return {
    external_reference: typed("reference").trim(),
    root_rule: { rule_kind: "tag_glob_csv", rule_value: parseCommaList(typed("tags")) },
    sync_start_date: `${new Date(typed("start")).toISOString().slice(0, 19)}Z`,
    ...typedUpstream(typed),
  } as const;
}

/** The value of a `datetime-local` field: in the visitor's time zone. */
function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
