import { useRegistryConfig } from "../api/registry-config.ts";
import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { OrganizationMirror } from "../organization-mirrors/organization-mirror.tsx";
import { ProxyCache } from "../proxy-caches/proxy-cache.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import { PullGate } from "../pull-gate/pull-gate.tsx";
import { NamespaceQuota } from "../quotas/namespace-quota.tsx";
import { Parts } from "../shared/parts.tsx";
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
