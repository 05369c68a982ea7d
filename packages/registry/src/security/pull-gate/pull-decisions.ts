import type { ImageRepository } from "../../access/queries.ts";
import type { ImageManifestRow } from "../../content/queries/manifest-content.ts";
import type { AskingDeps } from "../ask-elsewhere.ts";
import { decidePull, type PullDecision } from "./decide-pull.ts";

/** The decisions of a process, cached until they may change. */
export interface PullDecisions {
  decide(deps: AskingDeps, repository: ImageRepository, manifest: ImageManifestRow): Promise<PullDecision>;
  /** The cached decision about an image, if it is still valid. */
  recall(repository: ImageRepository, image: KnownImage, now: number): Promise<PullDecision> | undefined;
}

/** The key of a cached decision. */
type KnownImage = Pick<ImageManifestRow, "id" | "security_revision">;

/** How many decisions are cached, at a few hundred bytes each. */
const mostKept = 10_000;

/**
 * Caches decisions by image, until the gates, the findings of the image or the time change them. Simultaneous pulls of one image share a decision. So the signal of no
 * single client aborts it.
 */
export function createPullDecisions(): PullDecisions {
  const kept = new Map<string, Kept>();
  return {
    recall,
    async decide(context, repository, manifest) {
      const known = recall(repository, manifest, context.now);
      if (known !== undefined) return known;
      const { security_revision: revision } = manifest;
      const gates = gatesOf(repository);
      const made = begin({ gates, revision }, [context, repository, manifest]);
      kept.delete(manifest.id);
      kept.set(manifest.id, made);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? "");
      return made.decision;
    },
  };

  function recall(repository: ImageRepository, { id, security_revision: revision }: KnownImage, now: number) {
    const known = kept.get(id);
    const isValid = known?.gates === gatesOf(repository) && known.revision === revision && known.until > now;
    return isValid ? known.decision : undefined;
  }
}

function gatesOf({ namespaceGate, repositoryGate }: ImageRepository): string {
  return `${namespaceGate ?? ""}\n${repositoryGate ?? ""}`;
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
