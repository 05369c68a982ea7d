import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { CopyButton } from "../shared/copy-button.tsx";
import { TextField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

type Key = ResultOf<"GET /superuser/keys">["keys"][number];

const words = texts.administration.keys;

/** The service keys: keys with which programs sign requests to the registry. */
export function ServiceKeys() {
  const keys = usePages("GET /superuser/keys", { query: {} });
  return (
    <>
      <p>{words.about}</p>
      <NewServiceKey />
      <Paged query={keys}>
        {(pages) => (
          <Table
            columns={columns}
            rows={pages.flatMap((page) => page.keys)}
            keyOf={({ kid }) => kid}
            empty={words.none}
          />
        )}
      </Paged>
    </>
  );
}

function Actions({ keyOfService: { kid, approval } }: { readonly keyOfService: Key }) {
  const approve = useChange("POST /superuser/approvedkeys/{kid}", ["GET /superuser/keys"]);
  const removal = useChange("DELETE /superuser/keys/{kid}", ["GET /superuser/keys"]);
  const params = { kid };
  return (
    <>
      {approval === null && <ActionButton label={words.approve} change={approve} given={{ params, body: {} }} />}
      <ConfirmedButton label={words.remove} consequence={words.removed} change={removal} given={{ params }} />
    </>
  );
}

function approvalOf({ approval }: Key): string {
  if (approval === null) return words.waiting;
  return approval.approver === null ? words.approvedItself : words.approved(approval.approver.username);
}

const columns: readonly Column<Key>[] = [
  { title: words.columns.name, isName: true, cell: ({ name, kid }) => name || kid.slice(0, 12) },
  { title: words.columns.service, cell: ({ service }) => service },
  { title: words.columns.kid, cell: ({ kid }) => <code title={kid}>{kid.slice(0, 12)}</code> },
  { title: words.columns.created, cell: ({ created_date: at }) => <Time at={Date.parse(at)} /> },
  {
    title: words.columns.expires,
    cell: ({ expiration_date: at }) => (at === null ? words.never : <Time at={Date.parse(at)} />),
  },
  { title: words.columns.approval, cell: approvalOf },
  { title: words.columns.actions, cell: (key) => <Actions keyOfService={key} /> },
];

const daySeconds = 86_400;

/** Creates a service key. Its private key is shown once. */
function NewServiceKey() {
  const change = useChange("POST /superuser/keys", ["GET /superuser/keys"]);
  return (
    <>
      <ChangeForm label={words.create} change={change} given={(typed) => ({ body: typedKey(typed) })}>
        <TextField name="service" label={words.service} rule={words.serviceRule} required maxLength={255} />
        <TextField name="name" label={words.name} required maxLength={255} />
        <TextField name="days" label={words.days} type="number" min={1} />
        <TextField name="notes" label={words.notes} />
      </ChangeForm>
      {change.data !== undefined && (
        <div className="notice" role="status">
          <p>{words.made}</p>
          <pre>{change.data.private_key}</pre>
          <CopyButton text={change.data.private_key} />
        </div>
      )}
    </>
  );
}

function typedKey(typed: Typed) {
  const [days, notes] = [typed("days"), typed("notes")];
  return {
    service: typed("service"),
    name: typed("name"),
    expiration: days === "" ? null : Math.floor(Date.now() / 1000) + Number(days) * daySeconds,
    notes: notes || undefined,
  };
}
