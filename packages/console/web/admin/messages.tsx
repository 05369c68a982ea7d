import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

type Message = ResultOf<"GET /messages">["messages"][number];

const words = texts.messages;

/** The global messages, which all users see. */
export function Messages() {
  const messages = useOperation("GET /messages", { query: {} });
  return (
    <>
      <NewMessage />
      <Answered query={messages}>
        {({ messages: list }) => <Table columns={columns} rows={list} keyOf={({ uuid }) => uuid} empty={words.none} />}
      </Answered>
    </>
  );
}

function NewMessage() {
  const change = useChange("POST /messages", ["GET /messages"]);
  const given = (typed: Typed) => {
    const severity = chosenOf(words.severities, typed("severity"));
    return { body: { message: { content: typed("content"), severity, media_type: "text/markdown" } } } as const;
  };
  return (
    <ChangeForm label={words.create} change={change} given={given}>
      <TextField name="content" label={words.content} required />
      <SelectField name="severity" label={words.severity} options={words.severities} />
    </ChangeForm>
  );
}

function DeleteMessage({ uuid }: { readonly uuid: string }) {
  const change = useChange("DELETE /message/{uuid}", ["GET /messages"]);
  return (
    <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={{ params: { uuid } }} />
  );
}

const columns: readonly Column<Message>[] = [
  { title: words.columns.content, isName: true, isText: true, cell: ({ content }) => content },
  { title: words.columns.severity, cell: ({ severity }) => words.severities[severity] },
  { title: words.columns.actions, cell: ({ uuid }) => <DeleteMessage uuid={uuid} /> },
];
