import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import { PullGate } from "../pull-gate/pull-gate.tsx";
import type { ShownRepository } from "./repository-name.ts";

/** What holds for the images of a repository: which may be pulled, which tags nothing may change, which are deleted by themselves. */
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
