import { useChange } from "../api/use-change.ts";
import { ChangeForm } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import type { RuleOwner } from "../shared/owner.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { TextField } from "../shared/text-field.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { type Gate, gateCalls } from "./gate-calls.ts";

type Key = Gate["keys"][number];

const words = texts.pullGate.keys;

interface Props {
  readonly owner: RuleOwner;
  readonly keys: readonly Key[];
}

/** The keys of a gate: VEX documents that they have signed count for it. */
export function GateKeys({ owner, keys }: Props) {
  const { addKey, params, affected } = gateCalls(owner);
  const change = useChange(addKey, affected);
  const actions: Column<Key> = {
    title: words.columns.actions,
    cell: ({ uuid }) => <Remove owner={owner} uuid={uuid} />,
  };
  return (
    <>
      <h3>{words.title}</h3>
      <p>{words.about}</p>
      <ChangeForm
        label={words.add}
        change={change}
        given={(typed) => ({ params, body: { name: typed("name"), public_key: typed("public_key") } })}
      >
        <TextField name="name" label={words.name} required maxLength={100} />
        <label>
          {words.publicKey}
          <textarea name="public_key" rows={4} required maxLength={4096} spellCheck={false} />
        </label>
      </ChangeForm>
      <Table columns={[...columns, actions]} rows={keys} keyOf={({ uuid }) => uuid} empty={words.none} />
    </>
  );
}

function Remove({ owner, uuid }: { readonly owner: RuleOwner; readonly uuid: string }) {
  const { removeKey, params, affected } = gateCalls(owner);
  const change = useChange(removeKey, affected);
  const given = { params: { ...params, key_uuid: uuid } };
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={given} />;
}

const columns: readonly Column<Key>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => name },
  { title: words.columns.author, cell: ({ author }) => author },
  { title: words.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
];
