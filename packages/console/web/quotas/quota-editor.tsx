import {
  changeUserQuotaSuperUser,
  createUserQuotaSuperUser,
  deleteUserQuotaSuperUser,
  listUserQuotaSuperUser,
} from "../api/generated/superuser.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { texts } from "../texts/texts.ts";
import { AmountForm } from "./amount-form.tsx";
import { affectedByQuotas, type ShownQuota } from "./quota-calls.ts";
import { QuotaLimits } from "./quota-limits.tsx";

const words = texts.quotas;

/** Sets the quota of a namespace, its user's or organization's, and its limits. */
export function QuotaEditor({ namespace }: { readonly namespace: string }) {
  const quotas = useOperation(listUserQuotaSuperUser, { params: { namespace } });
  return (
    <Answered query={quotas}>
      {([quota]) =>
        quota === undefined || quota.default_config ? (
          <NewQuota namespace={namespace} />
        ) : (
          <Quota namespace={namespace} quota={quota} />
        )
      }
    </Answered>
  );
}

function NewQuota({ namespace }: { readonly namespace: string }) {
  const change = useChange(createUserQuotaSuperUser, affectedByQuotas);
  return <AmountForm change={change} given={(bytes) => ({ params: { namespace }, body: { limit_bytes: bytes } })} />;
}

function Quota({ namespace, quota }: { readonly namespace: string; readonly quota: ShownQuota }) {
  const params = { namespace, quota_id: String(quota.id) };
  const change = useChange(changeUserQuotaSuperUser, affectedByQuotas);
  const removal = useChange(deleteUserQuotaSuperUser, affectedByQuotas);
  return (
    <>
      <AmountForm
        key={quota.limit_bytes}
        bytes={quota.limit_bytes}
        change={change}
        given={(bytes) => ({ params, body: { limit_bytes: bytes } })}
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
