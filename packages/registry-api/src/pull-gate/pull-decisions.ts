import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import type { SecurityContext } from "../security/image-security.ts";
import { decidePull, type PullDecision } from "./decide-pull.ts";

/** Decisions of a process: each is made once for all pulls until it may change. */
export interface PullDecisions {
  decide(context: SecurityContext, repository: ImageRepository, manifest: ImageManifestRow): Promise<PullDecision>;
}

/** How many decisions are kept: a few hundred bytes each. */
const mostKept = 10_000;

/**
 * Keeps decisions by image, as long as the gates, what is known of the image and the time do not change. Pulls of one image at the same time wait for one decision. It
 * is made whether or not its first client waits, so no signal of a client ends it.
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

/** What a decision was made by. */
interface Basis {
  readonly gates: string;
  /** Of what is known of the image: on whichever node it became known. */
  readonly revision: number;
}

interface Kept extends Basis {
  readonly decision: Promise<PullDecision>;
  /** Until when it holds; without an end while it is being made. */
  until: number;
}

function begin(basis: Basis, of: Parameters<PullDecisions["decide"]>): Kept {
  const [context, repository, manifest] = of;
  const decision = decidePull(context, { repository, manifest }, AbortSignal.timeout(decideMs)).then(summarized);
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

/** How many findings of a decision are kept: an answer names three. */
const findingsKept = 3;

/** A decision with how many findings count, and the worst of them. */
function summarized({ opinions, until }: PullDecision): PullDecision {
  return {
    opinions: opinions.map((each) => ({ ...each, findings: each.findings.slice(0, findingsKept) })),
    until,
  };
}
