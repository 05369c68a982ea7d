import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import type { ShownRepository } from "./repository-name.ts";

/** What holds for the tags of a repository: which nothing may change, and which are deleted by themselves. */
export function RepositoryPolicies({ repository }: { readonly repository: ShownRepository }) {
  const name = `${repository.namespace}/${repository.name}`;
  return (
    <>
      <ImmutableTags repository={name} />
      <PruneRules owner={{ kind: "repository", name }} />
    </>
  );
}
