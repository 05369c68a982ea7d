import type { ResultOf } from "../api/operation.ts";
import type { Typed } from "../shared/change-form.tsx";
import { parseCommaList } from "../shared/comma-list.ts";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { IntervalField, LoginFields, TagsFields, typedUpstream } from "./upstream-fields.tsx";

const words = texts.mirrors;

/** A mirror as the management API shows it. */
export type ShownMirror = ResultOf<"GET /repository/{repository}/mirror">;

interface Props {
  readonly namespace: string;
  /** The mirror to change; absent for a new one. */
  readonly mirror?: ShownMirror;
}

/** The fields of a mirror's settings. */
export function MirrorFields({ namespace, mirror }: Props) {
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
