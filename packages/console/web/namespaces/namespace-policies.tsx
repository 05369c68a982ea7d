import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { OrganizationMirror } from "../organization-mirrors/organization-mirror.tsx";
import { ProxyCache } from "../proxy-caches/proxy-cache.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import { PullGate } from "../pull-gate/pull-gate.tsx";
import { NamespaceQuota } from "../quotas/namespace-quota.tsx";

interface Props {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** The policies for all repositories of a namespace. */
export function NamespacePolicies({ namespace, isOrganization }: Props) {
  return (
    <>
      <NamespaceQuota namespace={namespace} isOrganization={isOrganization} />
      {isOrganization && <PullGate owner={{ kind: "organization", name: namespace }} />}
      {isOrganization && <ImmutableTags owner={{ kind: "organization", name: namespace }} />}
      <PruneRules owner={isOrganization ? { kind: "organization", name: namespace } : { kind: "user" }} />
      {isOrganization && <ProxyCache organization={namespace} />}
      {isOrganization && <OrganizationMirror organization={namespace} />}
    </>
  );
}
