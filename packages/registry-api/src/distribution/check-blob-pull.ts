import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { decideArriving, type GateOpinion, isEnforced, isGated, type PullDecision } from "../pull-gate/decide-pull.ts";
import { isArtifact } from "../security/scannable-layers.ts";
import type { Distribution, Exchange, OfDigest } from "./distribution.ts";
import { listArrivingWith, listManifestsWith } from "./queries/blob-images.ts";
import { refusePull } from "./refuse-pull.ts";

/** A blob that is asked for. */
interface PulledBlob {
  readonly repository: ImageRepository;
  readonly digest: string;
}

/** `{}`: artifacts of every kind have it as their configuration. @see https://github.com/opencontainers/image-spec/blob/v1.1.0/manifest.md#guidance-for-an-empty-descriptor */
const emptyDescriptor = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

/**
 * Asks whether the bytes of a blob may be pulled now. Where a gate is enforced, a blob that belongs only to refused images is refused too:
 * the image could be put together from its blobs. An artifact that has a blob of a refused image does not open it; what no image has waits
 * for one, as an image that is not scanned. Whether there is a blob is not refused: clients ask that before they push.
 * @throws DistributionError `DENIED`
 */
export async function checkBlobPull(
  distribution: Distribution,
  exchange: Exchange<OfDigest>,
  { repository, digest }: PulledBlob,
): Promise<void> {
  if (!isGated(repository) || !isEnforced(repository) || digest === emptyDescriptor) return;
  let first: Refusal | undefined;
  for await (const judged of judge(distribution, exchange, { repository, digest })) {
    const refusal = judged.decision.opinions.find(({ denies, isEnforced }) => denies && isEnforced);
    if (refusal === undefined) return;
    first ??= { digest: judged.digest, refusal };
  }
  if (first === undefined) return;
  await refusePull(distribution, exchange, { repository, reference: first.digest, ...first });
}

interface Refusal {
  readonly digest: string;
  readonly refusal: GateOpinion;
}

interface Judged {
  readonly digest: string;
  readonly decision: PullDecision;
}

/** What the gates say of each image that has a blob; nothing where only artifacts have it. */
async function* judge(
  { registry: { store, ports }, decisions }: Distribution,
  { now }: Exchange,
  { repository, digest }: PulledBlob,
): AsyncGenerator<Judged> {
  const at = { repositoryId: repository.id, digest };
  const manifests = await listManifestsWith(store.db, at);
  const images = manifests.filter((manifest) => !isArtifact(manifest));
  for (const image of images) yield { digest: image.digest, decision: await decide(image) };
  if (images.length < manifests.length && images.length === 0) return;
  const arriving = await listArrivingWith(store.db, at);
  for (const each of arriving) yield { digest: each, decision: decideArriving(repository, each, now) };
  if (images.length + arriving.length === 0) yield { digest, decision: decideArriving(repository, digest, now) };

  function decide(image: ImageManifestRow): Promise<PullDecision> {
    return decisions.decide({ db: store.db, ports, now }, repository, image);
  }
}
