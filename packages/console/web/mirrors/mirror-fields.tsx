import type { getRepoMirrorConfig } from "../api/generated/mirror.ts";
import type { ResultOf } from "../api/operation.ts";
import { EntityField } from "../permissions/entity-field.tsx";
import type { Typed } from "../shared/change-form.tsx";
import { CheckField } from "../shared/check-field.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.mirrors;

/** A mirror as the management API shows it. */
export type ShownMirror = ResultOf<typeof getRepoMirrorConfig>;

interface Props {
  readonly namespace: string;
  /** What is changed; absent for a new one. */
  readonly mirror?: ShownMirror;
}

/** How a repository is kept in step. */
export function MirrorFields({ namespace, mirror }: Props) {
  const interval = String(mirror?.sync_interval ?? 86_400);
  const intervals: Record<string, string> = { ...words.intervals };
  intervals[interval] ??= words.everySeconds(Number(interval));
  const start = mirror?.sync_start_date == null ? new Date() : new Date(mirror.sync_start_date);
  const password = mirror?.external_registry_username == null ? words.password : words.keptPassword;
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
      <TextField
        name="tags"
        label={words.tags}
        rule={words.tagsRule}
        required
        defaultValue={mirror?.root_rule.rule_value.join(", ") ?? "*"}
      />
      <EntityField
        name="robot"
        label={words.robot}
        namespace={namespace}
        defaultValue={mirror?.robot_username ?? `${namespace}+`}
      />
      <SelectField name="interval" label={words.interval} options={intervals} defaultValue={interval} />
      <TextField name="start" label={words.start} type="datetime-local" required defaultValue={localText(start)} />
      <TextField
        name="username"
        label={words.username}
        autoComplete="off"
        defaultValue={mirror?.external_registry_username ?? ""}
      />
      <TextField name="password" label={password} type="password" autoComplete="off" />
      <CheckField
        name="verify"
        label={words.verify}
        isChecked={mirror?.external_registry_config.verify_tls !== false}
      />
      <CheckField name="enabled" label={words.enabled} isChecked={mirror?.is_enabled ?? true} />
    </>
  );
}

/** What was typed into these fields. A password that is empty stays as it is. */
export function typedMirror(typed: Typed) {
  const password = typed("password");
  const tags = typed("tags").split(",");
  return {
    external_reference: typed("reference").trim(),
    root_rule: { rule_kind: "tag_glob_csv", rule_value: tags.map((tag) => tag.trim()).filter((tag) => tag !== "") },
    robot_username: typed("robot"),
    sync_interval: Number(typed("interval")),
    sync_start_date: `${new Date(typed("start")).toISOString().slice(0, 19)}Z`,
    external_registry_username: typed("username") || null,
    ...(password !== "" && { external_registry_password: password }),
    external_registry_config: { verify_tls: typed("verify") === "on" },
    is_enabled: typed("enabled") === "on",
  } as const;
}

/** As a field for instants has it: in the visitor's time zone. */
function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
