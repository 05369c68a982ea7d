import { PruneRules } from "../pruning/prune-rules.tsx";

interface Props {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** What holds for all repositories of a namespace. */
export function NamespacePolicies({ namespace, isOrganization }: Props) {
  return <PruneRules owner={isOrganization ? { kind: "organization", name: namespace } : { kind: "user" }} />;
}
