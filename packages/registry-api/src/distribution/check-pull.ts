import type { ImageRepository } from "@plimsoll/registry/access/queries";
import type { ServedManifest } from "@plimsoll/registry/push/pull-through";
import { decideArriving, isGated, type PullDecision } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { noteOf } from "@plimsoll/registry/security/pull-gate/describe-opinion";
import type { Distribution, Exchange, OfReference } from "./distribution.ts";
import { refusePull } from "./refuse-pull.ts";

/**
 * Checks whether a manifest may be pulled now. All pulls are decided here: GET and HEAD, by tag and by digest, for every caller.
 * The usage log records a refusal. `check-blob-pull.ts` refuses the blobs of refused images.
 * @returns metadata for the usage log: about a gate in dry-run mode that would have refused the pull, or about the documents that have let
 * findings pass
 * @throws DistributionError `DENIED`
 */
export async function checkPull(
  distribution: Distribution,
  exchange: Exchange<OfReference>,
  { repository, manifest }: Pulled,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isGated(repository)) return {};
  const { opinions } = await decide(distribution, { repository, manifest }, exchange.now);
  const denying = opinions.filter(({ denies }) => denies);
  const refusal = denying.find(({ isEnforced }) => isEnforced);
  const { digest, media_type: mediaType } = manifest;
  const { reference } = exchange.params;
  if (refusal !== undefined) {
    await refusePull(distribution, exchange, { repository, digest, reference, mediaType, refusal });
  }
  const [watching] = denying;
  if (watching !== undefined) return { pull_gate: { ...noteOf(watching), mode: "dry_run" } };
  const stated = opinions.find(({ statements }) => statements.length > 0);
  return stated === undefined ? {} : { pull_gate: noteOf(stated) };
}

interface Pulled {
  readonly repository: ImageRepository;
  readonly manifest: ServedManifest;
}

async function decide(
  { registry, decisions }: Distribution,
  { repository, manifest }: Pulled,
  now: number,
): Promise<PullDecision> {
  if (!("id" in manifest)) return decideArriving(repository, manifest.digest, now);
  return decisions.decide({ ...registry, db: registry.store.db, now }, repository, manifest);
}
