import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Command, CopyButton } from "../shared/copy-button.tsx";
import { parseCommaList, TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Trigger = ResultOf<"GET /repository/{repository}/trigger/">["triggers"][number];

const words = texts.buildTriggers;

/** The webhooks that start builds of a repository, for its administrators. */
export function BuildTriggers({ repository }: { readonly repository: string }) {
  const triggers = useOperation("GET /repository/{repository}/trigger/", { params: { repository } });
  const actions: Column<Trigger> = {
    title: words.columns.actions,
    cell: (trigger) => <TriggerActions repository={repository} trigger={trigger} />,
  };
  return (
    <Section title={words.title} about={words.about}>
      <NewTrigger repository={repository} />
      <Answered query={triggers}>
        {({ triggers: list }) => (
          <Table columns={[...columns, actions]} rows={list} keyOf={({ id }) => id} empty={words.none} />
        )}
      </Answered>
    </Section>
  );
}

function TriggerActions({
  repository,
  trigger: { id, enabled },
}: {
  readonly repository: string;
  readonly trigger: Trigger;
}) {
  const params = { repository, trigger_uuid: id };
  const toggle = useChange("PUT /repository/{repository}/trigger/{trigger_uuid}", affectedByTriggers);
  const removal = useChange("DELETE /repository/{repository}/trigger/{trigger_uuid}", affectedByTriggers);
  return (
    <>
      <ActionButton
        label={enabled ? words.disable : words.enable}
        change={toggle}
        given={{ params, body: { enabled: !enabled } }}
      />
      <ConfirmedButton label={words.remove} consequence={words.removed} change={removal} given={{ params }} />
    </>
  );
}

const affectedByTriggers = ["GET /repository/{repository}/trigger/", "POST /repository/{repository}/trigger/"] as const;

const columns: readonly Column<Trigger>[] = [
  { title: words.columns.name, isName: true, cell: ({ title, git_url: url }) => title || url },
  { title: words.columns.source, isText: true, cell: ({ git_url: url }) => url },
  { title: words.columns.refs, isText: true, cell: ({ refs }) => refs.join(", ") || words.allRefs },
  { title: words.columns.tags, isText: true, cell: ({ tags }) => tags?.join(", ") ?? words.tagsOfRefs },
  {
    title: words.columns.address,
    cell: ({ url }) => (
      <>
        <code>{url}</code> <CopyButton text={url} label={url} />
      </>
    ),
  },
  { title: words.columns.state, cell: ({ enabled }) => (enabled ? words.on : words.off) },
];

/** Creates a webhook. Its secret is shown once. */
function NewTrigger({ repository }: { readonly repository: string }) {
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
          <Command line={change.data.url} label={texts.credentials.address} />
          <p>{words.secret}</p>
          <Command line={change.data.secret} label={texts.credentials.secret} />
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
