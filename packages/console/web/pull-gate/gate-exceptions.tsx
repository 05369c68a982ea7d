import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { TextField } from "../shared/fields.tsx";
import type { RuleOwner } from "../shared/owner.ts";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { Unusable } from "../shared/unusable.tsx";
import { texts } from "../texts/texts.ts";
import { type Gate, gateCalls } from "./gate-calls.ts";

type Exception = Gate["exceptions"][number];

const words = texts.pullGate.exceptions;
const dayMs = 86_400_000;

interface Props {
  readonly owner: RuleOwner;
  readonly exceptions: readonly Exception[];
}

/** The exceptions of a gate: what it allows for a limited time, and why. */
export function GateExceptions({ owner, exceptions }: Props) {
  const { addException, params, affected } = gateCalls(owner);
  const change = useChange(addException, affected);
  const actions: Column<Exception> = {
    title: words.columns.actions,
    cell: ({ uuid }) => <Remove owner={owner} uuid={uuid} />,
  };
  return (
    <>
      <h3>{words.title}</h3>
      <ChangeForm label={words.add} change={change} given={(typed) => ({ params, body: typedException(typed) })}>
        <TextField name="vulnerability" label={words.vulnerability} maxLength={256} />
        <TextField name="package" label={words.package} maxLength={256} />
        <TextField name="image" label={words.image} maxLength={256} />
        <TextField name="reason" label={words.reason} required maxLength={1000} />
        <TextField name="days" label={words.days} type="number" min={1} max={366} required defaultValue={30} />
      </ChangeForm>
      <Table columns={[...columns, actions]} rows={exceptions} keyOf={({ uuid }) => uuid} empty={words.none} />
    </>
  );
}

function typedException(typed: Typed) {
  const expires = new Date(Date.now() + Number(typed("days")) * dayMs);
  return {
    vulnerability: typed("vulnerability") || null,
    package: typed("package") || null,
    image: typed("image") || null,
    reason: typed("reason"),
    expires: `${expires.toISOString().slice(0, 19)}Z`,
  };
}

function Remove({ owner, uuid }: { readonly owner: RuleOwner; readonly uuid: string }) {
  const { removeException, params, affected } = gateCalls(owner);
  const change = useChange(removeException, affected);
  const given = { params: { ...params, exception_uuid: uuid } };
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={given} />;
}

const columns: readonly Column<Exception>[] = [
  {
    title: words.columns.what,
    isName: true,
    cell: ({ vulnerability, package: name, image, problem }) => (
      <Unusable problem={problem && words.unusable(problem)}>
        {[vulnerability, name, image].filter((each) => each !== null).join(", ") || words.all}
      </Unusable>
    ),
  },
  { title: words.columns.reason, isText: true, cell: ({ reason }) => reason },
  { title: words.columns.author, cell: ({ author }) => author },
  { title: words.columns.expires, cell: ({ expires }) => <Time at={Date.parse(expires)} /> },
];
