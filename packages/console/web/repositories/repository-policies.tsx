import { ImmutableTags } from "../immutability/immutable-tags.tsx";
import { PruneRules } from "../pruning/prune-rules.tsx";
import { PullGate } from "../pull-gate/pull-gate.tsx";
import { Parts } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownRepository } from "./repository-name.ts";

/** The policies of a repository: pull gate, immutable tags and prune rules. */
export function RepositoryPolicies({ repository }: { readonly repository: ShownRepository }) {
  const owner = { kind: "repository", name: `${repository.namespace}/${repository.name}` } as const;
  const { gate, immutability, pruning } = texts.policies.parts;
  return (
    <Parts
      label={texts.policies.label}
      parts={{
        gate: { title: gate, show: () => <PullGate owner={owner} /> },
        immutability: { title: immutability, show: () => <ImmutableTags owner={owner} /> },
        pruning: { title: pruning, show: () => <PruneRules owner={owner} /> },
      }}
    />
  );
}
