import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { affectedByQuotas, QuotaLimits, type ShownQuota } from "./quota-limits.tsx";

const words = texts.quotas;

/** Sets the quota of a namespace and its limits. */
export function QuotaEditor({ namespace }: { readonly namespace: string }) {
  const quotas = useOperation("GET /superuser/organization/{namespace}/quota", { params: { namespace } });
  return (
    <Answered query={quotas}>
      {(list) =>
        list[0] === undefined || list[0].default_config ? (
          <NewQuota namespace={namespace} />
        ) : (
          <Quota namespace={namespace} list={list} quota={list[0]} />
        )
      }
    </Answered>
  );
}

function NewQuota({ namespace }: { readonly namespace: string }) {
  const change = useChange("POST /superuser/organization/{namespace}/quota", affectedByQuotas);
  const given = (typed: Typed) => ({ params: { namespace }, body: { limit_bytes: typedBytes(typed) } });
  return (
    <ChangeForm label={words.set} change={change} given={given}>
      <AmountFields />
    </ChangeForm>
  );
}

interface QuotaProps {
  readonly namespace: string;
  /** The answer that was read: a list of one quota. */
  readonly list: readonly ShownQuota[];
  readonly quota: ShownQuota;
}

function Quota({ namespace, list, quota }: QuotaProps) {
  const params = { namespace, quota_id: String(quota.id) };
  const change = useChange("PUT /superuser/organization/{namespace}/quota/{quota_id}", affectedByQuotas);
  const removal = useChange("DELETE /superuser/organization/{namespace}/quota/{quota_id}", affectedByQuotas);
  return (
    <>
      <EditForm
        label={words.set}
        change={change}
        given={(typed) => ({ params, body: { limit_bytes: typedBytes(typed) } })}
        value={list}
        fields={([shown]) => <AmountFields bytes={shown?.limit_bytes} />}
      />
      <ConfirmedButton
        label={words.remove}
        consequence={words.removed(namespace)}
        change={removal}
        given={{ params }}
      />
      <QuotaLimits namespace={namespace} quota={quota} />
    </>
  );
}

type Unit = keyof typeof words.units;

const bytesOf: Readonly<Record<Unit, number>> = { MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };

/** Fields for a number of bytes, as an amount and a unit. @param bytes the initial value; 10 GiB by default */
function AmountFields({ bytes = 10 * bytesOf.GiB }: { readonly bytes?: number | undefined }) {
  const unit = (["TiB", "GiB"] as const).find((each) => bytes % bytesOf[each] === 0) ?? "MiB";
  return (
    <>
      <TextField
        name="amount"
        label={words.amount}
        type="number"
        min={0}
        step="any"
        required
        defaultValue={bytes / bytesOf[unit]}
      />
      <SelectField name="unit" label={words.unit} options={words.units} defaultValue={unit} />
    </>
  );
}

/** The value of these fields, in bytes. */
function typedBytes(typed: Typed): number {
  return Math.round(Number(typed("amount")) * bytesOf[chosenOf(words.units, typed("unit"))]);
}

/** The quota of the namespace that is chosen in a list; nothing if none is. */
export function ChosenQuota({ namespace }: { readonly namespace: string }) {
  if (namespace === "") return undefined;
  return (
    <Section title={texts.quotas.quotaOf(namespace)}>
      <QuotaEditor key={namespace} namespace={namespace} />
    </Section>
  );
}
