import { ifWritable } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { decideArriving, type GateOpinion, isGated, type PullDecision } from "../pull-gate/decide-pull.ts";
import { describeOpinion, noteOf } from "../pull-gate/describe-opinion.ts";
import type { Distribution, Exchange, OfReference } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";
import type { ServedManifest } from "./pull-through.ts";
import { tellRefusedPull } from "./tell-refused-pull.ts";

/**
 * Asks whether a manifest may be pulled now: the one place where that is decided, for GET and HEAD, by tag and by digest, whoever asks. A
 * refusal is in the usage log.
 * @returns what the usage log says of gates that only watch, and would have refused it
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
  if (refusal !== undefined) await refuse(distribution, exchange, { repository, manifest, refusal });
  const [watching] = denying;
  return watching === undefined ? {} : { pull_gate: { ...noteOf(watching), mode: "dry_run" } };
}

interface Pulled {
  readonly repository: ImageRepository;
  readonly manifest: ServedManifest;
}

async function decide(
  { registry: { store, ports }, decisions }: Distribution,
  { repository, manifest }: Pulled,
  now: number,
): Promise<PullDecision> {
  if (!isStored(manifest)) return decideArriving(repository, manifest.digest, now);
  return decisions.decide({ db: store.db, ports, now }, repository, manifest);
}

function isStored(manifest: ServedManifest): manifest is ImageManifestRow {
  return "id" in manifest;
}

interface Refused extends Pulled {
  readonly refusal: GateOpinion;
}

async function refuse(
  { registry, decisions }: Distribution,
  exchange: Exchange<OfReference>,
  { repository, manifest, refusal }: Refused,
): Promise<never> {
  const { reference } = exchange.params;
  const note = { pull_gate: noteOf(refusal) };
  const use = { kind: "pull_repo_failed", repository, reference, mediaType: manifest.media_type, note } as const;
  const message = describeOpinion(refusal, repository);
  const { digest } = manifest;
  const refused = { repository, digest, reference, message, note: noteOf(refusal), now: exchange.now };
  await ifWritable(async () => {
    await logUse(registry.store.relaxed, exchange, use);
    await tellRefusedPull({ registry, decisions }, registry.store.relaxed, refused);
  });
  throw new DistributionError("DENIED", message, { detail: { digest: manifest.digest, ...noteOf(refusal) } });
}
