import type { getOrganizationMirror } from "../api/generated/mirror.ts";
import type { ResultOf } from "../api/operation.ts";
import { EntityField } from "../permissions/entity-field.tsx";
import type { Typed } from "../shared/change-form.tsx";
import { CheckField } from "../shared/check-field.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.organizationMirrors;
const ofMirrors = texts.mirrors;

/** How an organization follows another registry, as the management API shows it. */
export type ShownCatalog = ResultOf<typeof getOrganizationMirror>;

interface Props {
  readonly organization: string;
  /** What is changed; absent for a new one. */
  readonly mirror?: ShownCatalog;
}

/** Which registry is followed, and what of it. */
export function CatalogFields({ organization, mirror }: Props) {
  const interval = String(mirror?.sync_interval ?? 86_400);
  const intervals: Record<string, string> = { ...ofMirrors.intervals };
  intervals[interval] ??= ofMirrors.everySeconds(Number(interval));
  return (
    <>
      <TextField
        name="registry"
        label={words.registry}
        rule={words.registryRule}
        required
        maxLength={256}
        defaultValue={mirror?.external_registry}
      />
      <TextField
        name="repositories"
        label={words.repositories}
        rule={words.repositoriesRule}
        required
        defaultValue={mirror?.repository_rule.join(", ") ?? "*"}
      />
      <TextField
        name="tags"
        label={ofMirrors.tags}
        rule={ofMirrors.tagsRule}
        required
        defaultValue={mirror?.tag_rule.join(", ") ?? "*"}
      />
      <EntityField
        name="robot"
        label={ofMirrors.robot}
        namespace={organization}
        defaultValue={mirror?.robot_username ?? `${organization}+`}
      />
      <SelectField
        name="visibility"
        label={words.visibility}
        options={words.visibilities}
        defaultValue={mirror?.visibility ?? "private"}
      />
      <SelectField name="interval" label={ofMirrors.interval} options={intervals} defaultValue={interval} />
      <TextField
        name="username"
        label={ofMirrors.username}
        autoComplete="off"
        defaultValue={mirror?.external_registry_username ?? ""}
      />
      <TextField
        name="password"
        label={mirror?.external_registry_username == null ? ofMirrors.password : ofMirrors.keptPassword}
        type="password"
        autoComplete="off"
      />
      <CheckField
        name="verify"
        label={ofMirrors.verify}
        isChecked={mirror?.external_registry_config.verify_tls !== false}
      />
      <CheckField name="enabled" label={ofMirrors.enabled} isChecked={mirror?.is_enabled ?? true} />
    </>
  );
}

/** What was typed into these fields. A password that is empty stays as it is. */
export function typedCatalog(typed: Typed) {
  const password = typed("password");
  return {
    external_registry: typed("registry").trim(),
    repository_rule: listOf(typed("repositories")),
    tag_rule: listOf(typed("tags")),
    robot_username: typed("robot"),
    visibility: chosenOf(words.visibilities, typed("visibility")),
    sync_interval: Number(typed("interval")),
    external_registry_username: typed("username") || null,
    ...(password !== "" && { external_registry_password: password }),
    external_registry_config: { verify_tls: typed("verify") === "on" },
    is_enabled: typed("enabled") === "on",
  };
}

function listOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}
