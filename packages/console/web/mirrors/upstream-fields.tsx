import { EntityField } from "../permissions/entity-field.tsx";
import type { Typed } from "../shared/change-form.tsx";
import { CheckField, SelectField, TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.mirrors;

/** The members that mirrors of repositories and of organizations share, as the management API shows them. */
interface ShownUpstream {
  readonly robot_username: string | null;
  readonly sync_interval: number;
  readonly external_registry_username: string | null;
  readonly external_registry_config: { readonly verify_tls?: boolean; readonly unsigned_images?: boolean };
  readonly is_enabled: boolean;
}

interface Props {
  /** The mirror to change; undefined for a new one. */
  readonly mirror: ShownUpstream | undefined;
}

/** The fields for the tags to copy and for the robot that pushes them. */
export function TagsFields({
  namespace,
  tags = ["*"],
  mirror,
}: Props & { readonly namespace: string; readonly tags: readonly string[] | undefined }) {
  return (
    <>
      <TextField name="tags" label={words.tags} rule={words.tagsRule} required defaultValue={tags.join(", ")} />
      <EntityField
        name="robot"
        label={words.robot}
        namespace={namespace}
        defaultValue={mirror?.robot_username ?? `${namespace}+`}
      />
    </>
  );
}

/** The field for the interval of synchronizations. */
export function IntervalField({ mirror }: Props) {
  const interval = String(mirror?.sync_interval ?? 86_400);
  const intervals: Record<string, string> = { ...words.intervals };
  intervals[interval] ??= words.everySeconds(Number(interval));
  return <SelectField name="interval" label={words.interval} options={intervals} defaultValue={interval} />;
}

/** The fields for the credentials at the other registry, the checks of its certificate and of signatures, and automatic synchronization. */
export function LoginFields({ mirror }: Props) {
  const username = mirror?.external_registry_username ?? undefined;
  return (
    <>
      <TextField name="username" label={words.username} autoComplete="off" defaultValue={username ?? ""} />
      <TextField
        name="password"
        label={username === undefined ? words.password : words.keptPassword}
        type="password"
        autoComplete="off"
      />
      <CheckField
        name="verify"
        label={words.verify}
        isChecked={mirror?.external_registry_config.verify_tls !== false}
      />
      <CheckField
        name="unsigned"
        label={words.unsigned}
        isChecked={mirror?.external_registry_config.unsigned_images === true}
      />
      <CheckField name="enabled" label={words.enabled} isChecked={mirror?.is_enabled ?? true} />
    </>
  );
}

/** The values of these fields except the tags. An empty password is left out: the stored one stays. */
export function typedUpstream(typed: Typed) {
  const password = typed("password");
  return {
    robot_username: typed("robot"),
    sync_interval: Number(typed("interval")),
    external_registry_username: typed("username") || null,
    external_registry_password: password || undefined,
    external_registry_config: { verify_tls: typed("verify") === "on", unsigned_images: typed("unsigned") === "on" },
    is_enabled: typed("enabled") === "on",
  };
}
