import { useChange } from "../api/use-change.ts";
import { EntityField } from "../permissions/entity-field.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { parseCommaList } from "../shared/comma-list.ts";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import type { Build } from "./build-calls.ts";
import { SourceFields, typedSource } from "./source-fields.tsx";

const words = texts.builds;

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly onDone: (build: Build) => void;
}

/** Starts a build. */
export function NewBuild({ namespace, repository, onDone }: Props) {
  const change = useChange("POST /repository/{repository}/build/", ["GET /repository/{repository}/build/"]);
  return (
    <ChangeForm
      label={words.start}
      change={change}
      given={(typed) => ({ params: { repository }, body: typedBuild(typed) })}
      onDone={onDone}
    >
      <SourceFields />
      <TextField name="dockerfile" label={words.dockerfile} required maxLength={1024} defaultValue="/Dockerfile" />
      <TextField name="context" label={words.context} maxLength={1024} />
      <TextField name="tags" label={words.tags} rule={words.tagsRule} />
      <EntityField name="robot" label={words.robot} namespace={namespace} isOptional />
    </ChangeForm>
  );
}

function typedBuild(typed: Typed) {
  const [context, robot] = [typed("context"), typed("robot")];
  const tags = parseCommaList(typed("tags"));
  return {
    ...typedSource(typed),
    dockerfile_path: typed("dockerfile"),
    context: context || undefined,
    docker_tags: tags.length > 0 ? tags : undefined,
    pull_robot: robot || undefined,
  };
}
