import { useCurrentUser } from "../api/current-user.ts";
import { useOperation } from "../api/use-operation.ts";
import { Section } from "../shared/section.tsx";
import { texts } from "../texts/texts.ts";
import { QuotaEditor } from "./quota-editor.tsx";
import { LimitTable } from "./quota-limits.tsx";
import { QuotaUsage } from "./quota-usage.tsx";

const words = texts.quotas;

interface Props {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** The usage and the quota of a namespace, which superusers can set. Nothing if the registry has no quotas. */
export function NamespaceQuota({ namespace, isOrganization }: Props) {
  const user = useCurrentUser().data;
  const organization = useOperation(
    "GET /organization/{orgname}",
    { params: { orgname: namespace } },
    { enabled: isOrganization },
  );
  const { quota_report: report, quotas: [quota] = [] } = (isOrganization ? organization.data : user) ?? {};
  if (report === undefined) return undefined;
  return (
    <Section title={words.title}>
      <QuotaUsage report={report} />
      {user?.super_user ? (
        <QuotaEditor namespace={namespace} />
      ) : (
        <>
          {quota === undefined && report.configured_quota !== null && <p>{words.default}</p>}
          {quota !== undefined && <LimitTable limits={quota.limits} />}
        </>
      )}
    </Section>
  );
}
