import { useState } from "react";
import type { Typed } from "../shared/change-form.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.builds;

type Source = keyof typeof words.sources;

/** The fields for the source of a build. */
export function SourceFields() {
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
export function typedSource(typed: Typed) {
  const [archive, git, reference, digest] = [typed("archive"), typed("git"), typed("reference"), typed("digest")];
  return {
    archive_url: archive || undefined,
    git_url: git || undefined,
    git_ref: reference || undefined,
    file_id: digest || undefined,
  };
}
