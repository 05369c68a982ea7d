import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { texts } from "../texts/texts.ts";
import { AmountFields, typedBytes } from "./amount-fields.tsx";
import { affectedByQuotas, type ShownQuota } from "./quota-calls.ts";
import { QuotaLimits } from "./quota-limits.tsx";

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
