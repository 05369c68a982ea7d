import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { SecurityContext } from "../security/image-security.ts";
import { decidePull, type PullDecision } from "./decide-pull.ts";

/** The decisions of a process, cached until they may change. */
export interface PullDecisions {
  decide(context: SecurityContext, repository: ImageRepository, manifest: ImageManifestRow): Promise<PullDecision>;
}

/** How many decisions are cached, at a few hundred bytes each. */
const mostKept = 10_000;

/**
 * Caches decisions by image, until the gates, the findings of the image or the time change them. Simultaneous pulls of one image share a decision. So the signal of no
 * single client aborts it.
 */
export function createPullDecisions(): PullDecisions {
  const kept = new Map<string, Kept>();
  return {
    async decide(context, repository, manifest) {
      const gates = `${repository.namespaceGate ?? ""}\n${repository.repositoryGate ?? ""}`;
      const known = kept.get(manifest.id);
      const { security_revision: revision } = manifest;
      if (known?.gates === gates && known.revision === revision && known.until > context.now) return known.decision;
      const made = begin({ gates, revision }, [context, repository, manifest]);
      kept.delete(manifest.id);
      kept.set(manifest.id, made);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? "");
      return made.decision;
    },
  };
}

/** The inputs by which a cached decision is valid. */
interface Basis {
  readonly gates: string;
  /** The `security_revision` of the image, which every node reads from the database. */
  readonly revision: number;
}

interface Kept extends Basis {
  readonly decision: Promise<PullDecision>;
  /** When the decision expires; infinity while it is being made. */
  until: number;
}

function begin(basis: Basis, of: Parameters<PullDecisions["decide"]>): Kept {
  const [context, repository, manifest] = of;
  const decision = decidePull(context, { repository, manifest }, AbortSignal.timeout(decideMs));
  const begun: Kept = { ...basis, decision, until: Number.POSITIVE_INFINITY };
  decision.then(
    ({ until }) => {
      begun.until = until;
    },
    () => {
      begun.until = 0;
    },
  );
  return begun;
}

/** How long one decision may take. */
const decideMs = 30_000;
