import type { FormEvent } from "react";
import { createGlobalMessage, deleteGlobalMessage, getGlobalMessages } from "../api/generated/globalmessages.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Failure } from "../shared/failure.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

type Message = ResultOf<typeof getGlobalMessages>["messages"][number];

const words = texts.messages;
const severities = ["info", "warning", "error"] as const;

/** The messages that all users see. */
export function Messages() {
  const messages = useOperation(getGlobalMessages, { query: {} });
  return (
    <>
      <NewMessage />
      <Answered query={messages}>
        {({ messages: list }) =>
          list.length === 0 ? (
            <p className="empty">{words.none}</p>
          ) : (
            <Table columns={columns} rows={list} keyOf={({ uuid }) => uuid} />
          )
        }
      </Answered>
    </>
  );
}

function NewMessage() {
  const change = useChange(createGlobalMessage, [getGlobalMessages]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const severity = severities.find((each) => each === given.get("severity")) ?? "info";
    const message = { content: String(given.get("content")), severity, media_type: "text/plain" } as const;
    change.mutate({ body: { message } }, { onSuccess: () => form.reset() });
  };
  return (
    <>
      <form className="line" onSubmit={submit}>
        <TextField name="content" label={words.content} required />
        <SelectField name="severity" label={words.severity} options={words.severities} />
        <button type="submit" className="primary" disabled={change.isPending}>
          {words.create}
        </button>
      </form>
      {change.isError && <Failure error={change.error} />}
    </>
  );
}

function DeleteMessage({ uuid }: { readonly uuid: string }) {
  const change = useChange(deleteGlobalMessage, [getGlobalMessages]);
  return (
    <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={{ params: { uuid } }} />
  );
}

const columns: readonly Column<Message>[] = [
  { title: words.columns.content, isName: true, cell: ({ content }) => content },
  { title: words.columns.severity, cell: ({ severity }) => words.severities[severity] },
  { title: words.columns.actions, cell: ({ uuid }) => <DeleteMessage uuid={uuid} /> },
];
