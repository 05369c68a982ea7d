import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { parseCommaList } from "../shared/comma-list.ts";
import { Command } from "../shared/command.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.buildTriggers;

/** Creates a webhook. Its secret is shown once. */
export function NewTrigger({ repository }: { readonly repository: string }) {
  const change = useChange("POST /repository/{repository}/trigger/", ["GET /repository/{repository}/trigger/"]);
  const given = (typed: Typed) => ({ params: { repository }, body: typedTrigger(typed) });
  return (
    <>
      <ChangeForm label={words.create} change={change} given={given}>
        <TextField name="title" label={words.name} maxLength={255} />
        <TextField
          name="git"
          label={texts.builds.git}
          type="url"
          rule={texts.builds.gitRule}
          required
          maxLength={2048}
        />
        <TextField name="refs" label={words.refs} rule={words.refsRule} />
        <TextField
          name="dockerfile"
          label={texts.builds.dockerfile}
          required
          maxLength={1024}
          defaultValue="/Dockerfile"
        />
        <TextField name="context" label={texts.builds.context} maxLength={1024} />
        <TextField name="tags" label={words.tags} rule={words.tagsRule} />
      </ChangeForm>
      {change.data && (
        <div className="notice" role="status">
          <p>{words.made}</p>
          <p>{words.address}</p>
          <Command line={change.data.url} />
          <p>{words.secret}</p>
          <Command line={change.data.secret} />
        </div>
      )}
    </>
  );
}

function typedTrigger(typed: Typed) {
  const [title, context, refs, tags] = [
    typed("title"),
    typed("context"),
    parseCommaList(typed("refs")),
    parseCommaList(typed("tags")),
  ];
  return {
    git_url: typed("git").trim(),
    dockerfile_path: typed("dockerfile"),
    title: title || undefined,
    context: context || undefined,
    refs: refs.length > 0 ? refs : undefined,
    tags: tags.length > 0 ? tags : undefined,
  };
}
