import { currentUserKey } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.quotas;

type Limit = ShownQuota["limits"][number];

interface Props {
  readonly namespace: string;
  readonly quota: ShownQuota;
}

/** The limits of a quota: the percentages at which a warning is sent or pushes are refused. */
export function QuotaLimits({ namespace, quota }: Props) {
  const params = { orgname: namespace, quota_id: String(quota.id) };
  const change = useChange("POST /organization/{orgname}/quota/{quota_id}/limit", affectedByQuotas);
  const given = (typed: Typed) => ({
    params,
    body: { type: chosenOf(words.types, typed("type")), threshold_percent: Number(typed("percent")) },
  });
  const actions: Column<Limit> = {
    title: words.columns.actions,
    cell: ({ id }) => <RemoveLimit {...params} limit_id={String(id)} />,
  };
  return (
    <>
      <h3>{words.limits}</h3>
      <ChangeForm label={words.addLimit} change={change} given={given}>
        <SelectField name="type" label={words.type} options={words.types} />
        <TextField name="percent" label={words.at} type="number" min={1} max={100} required />
      </ChangeForm>
      <LimitTable limits={quota.limits} actions={[actions]} />
    </>
  );
}

interface TableProps {
  readonly limits: readonly Limit[];
  readonly actions?: readonly Column<Limit>[];
}

/** The limits of a quota. */
export function LimitTable({ limits, actions = [] }: TableProps) {
  return (
    <Table columns={[...columns, ...actions]} rows={limits} keyOf={({ id }) => String(id)} empty={words.noLimits} />
  );
}

function RemoveLimit(params: { readonly orgname: string; readonly quota_id: string; readonly limit_id: string }) {
  const change = useChange("DELETE /organization/{orgname}/quota/{quota_id}/limit/{limit_id}", affectedByQuotas);
  return (
    <ConfirmedButton label={words.removeLimit} consequence={words.limitRemoved} change={change} given={{ params }} />
  );
}

const columns: readonly Column<Limit>[] = [
  { title: words.columns.type, isName: true, cell: ({ type }) => words.types[type] },
  { title: words.columns.at, isNumber: true, cell: ({ threshold_percent: percent }) => words.percent(percent) },
];

/** A quota as the management API shows it. */
export type ShownQuota = ResultOf<"GET /superuser/organization/{namespace}/quota">[number];

/** The operations whose answers a change of a quota makes stale. */
export const affectedByQuotas = [
  "GET /superuser/organization/{namespace}/quota",
  "GET /organization/{orgname}",
  "GET /superuser/organizations/",
  "GET /superuser/users/",
  currentUserKey,
] as const;
