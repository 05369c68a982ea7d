import { useCurrentUser } from "../api/current-user.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useOperation } from "../api/use-operation.ts";
import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { OrganizationMirror } from "../organization-mirrors/organization-mirror.tsx";
import { ProxyCache } from "../proxy-caches/proxy-cache.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import { PullGate } from "../pull-gate/pull-gate.tsx";
import { QuotaEditor } from "../quotas/quota-editor.tsx";
import { LimitTable } from "../quotas/quota-limits.tsx";
import { QuotaUsage } from "../quotas/quota-usage.tsx";
import { Section } from "../shared/section.tsx";
import { Parts } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";

interface Props {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** The policies for all repositories of a namespace, without those of features that are off. */
export function NamespacePolicies({ namespace, isOrganization }: Props) {
  const features = useRegistryConfig().data?.features ?? {};
  const own = isOrganization ? organizationParts(namespace, features) : {};
  const { quota, pruning } = texts.policies.parts;
  const owner = isOrganization ? ({ kind: "organization", name: namespace } as const) : ({ kind: "user" } as const);
  return (
    <Parts
      label={texts.policies.label}
      parts={{
        pruning: { title: pruning, show: () => <PruneRules owner={owner} /> },
        quota:
          features.QUOTA_MANAGEMENT !== false
            ? { title: quota, show: () => <NamespaceQuota namespace={namespace} isOrganization={isOrganization} /> }
            : undefined,
        ...own,
      }}
    />
  );
}

function organizationParts(name: string, features: Readonly<Record<string, boolean>>) {
  const { gate, immutability, cache, mirror } = texts.policies.parts;
  const owner = { kind: "organization", name } as const;
  return {
    gate: { title: gate, show: () => <PullGate owner={owner} /> },
    immutability: { title: immutability, show: () => <ImmutableTags owner={owner} /> },
    cache:
      features.PROXY_CACHE !== false ? { title: cache, show: () => <ProxyCache organization={name} /> } : undefined,
    mirror:
      features.REPO_MIRROR !== false
        ? { title: mirror, show: () => <OrganizationMirror organization={name} /> }
        : undefined,
  };
}

const words = texts.quotas;

interface QuotaProps {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** The usage and the quota of a namespace, which superusers can set. Nothing if the registry has no quotas. */
export function NamespaceQuota({ namespace, isOrganization }: QuotaProps) {
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
