import { useState } from "react";
import { useChange } from "../api/use-change.ts";
import { EntityField } from "../permissions/entity-field.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { parseCommaList, SelectField, TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";
import type { Build } from "./build-calls.ts";

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

type Source = keyof typeof words.sources;

/** The fields for the source of a build. */
function SourceFields() {
  const [source, setSource] = useState<Source>("archive");
  return (
    <>
      <SelectField name="source" label={words.source} options={words.sources} onChoice={setSource} />
      {source === "archive" && (
        <TextField name="archive" label={words.archive} type="url" rule={words.archiveRule} required maxLength={4096} />
      )}
      {source === "git" && (
        <>
          <TextField name="git" label={words.git} type="url" rule={words.gitRule} required maxLength={2048} />
          <TextField name="reference" label={words.reference} maxLength={255} />
        </>
      )}
      {source === "pushed" && (
        <TextField name="digest" label={words.digest} rule={words.digestRule} required maxLength={255} />
      )}
    </>
  );
}

/** The values of these fields, as members of a request's body. */
function typedSource(typed: Typed) {
  const [archive, git, reference, digest] = [typed("archive"), typed("git"), typed("reference"), typed("digest")];
  return {
    archive_url: archive || undefined,
    git_url: git || undefined,
    git_ref: reference || undefined,
    file_id: digest || undefined,
  };
}
