import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import { PullGate } from "../pull-gate/pull-gate.tsx";
import type { ShownRepository } from "./repository-name.ts";

/** The policies of a repository: pull gate, immutable tags and prune rules. */
export function RepositoryPolicies({ repository }: { readonly repository: ShownRepository }) {
  const name = `${repository.namespace}/${repository.name}`;
  return (
    <>
      <PullGate owner={{ kind: "repository", name }} />
      <ImmutableTags owner={{ kind: "repository", name }} />
      <PruneRules owner={{ kind: "repository", name }} />
    </>
  );
}
