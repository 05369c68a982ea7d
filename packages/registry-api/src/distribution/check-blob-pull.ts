import type { ImageRepository } from "../access/queries/image-repositories.ts";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { decideArriving, type GateOpinion, isEnforced, isGated, type PullDecision } from "../pull-gate/decide-pull.ts";
import { findKind } from "../pull-gate/find-kind.ts";
import type { Distribution, Exchange, OfDigest } from "./distribution.ts";
import { listArrivingWith, readManifestsWith } from "./queries/blob-images.ts";
import { refusePull } from "./refuse-pull.ts";

/** A requested blob. */
interface PulledBlob {
  readonly repository: ImageRepository;
  readonly digest: string;
}

/** The digest of `{}`, the configuration of artifacts of every kind. @see https://github.com/opencontainers/image-spec/blob/v1.1.0/manifest.md#guidance-for-an-empty-descriptor */
const emptyDescriptor = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

/**
 * Checks whether the bytes of a blob may be pulled now. Under an enforced gate, a blob that belongs only to refused images is refused
 * too, because a client could assemble the image from its blobs. An artifact that shares a blob with a refused image does not make the
 * blob available. A blob that belongs to no manifest is treated like an image that is not scanned yet. `HEAD` is never refused: clients
 * use it before they push.
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

/** The decisions about the images that have a blob; none if only artifacts have it. */
async function* judge(
  { registry: { store, ports }, decisions }: Distribution,
  { now }: Exchange,
  { repository, digest }: PulledBlob,
): AsyncGenerator<Judged> {
  const at = { repositoryId: repository.id, digest };
  const found = { images: 0, artifacts: 0 };
  for await (const manifest of readManifestsWith(store.db, at)) {
    const isImage = (await findKind({ db: store.db, ports }, manifest)) === "image";
    found[isImage ? "images" : "artifacts"] += 1;
    if (isImage) yield { digest: manifest.digest, decision: await decide(manifest) };
  }
  if (found.artifacts > 0 && found.images === 0) return;
  const arriving = await listArrivingWith(store.db, at);
  for (const each of arriving) yield { digest: each, decision: await decideArriving(repository, each, now) };
  if (found.images + arriving.length === 0) yield { digest, decision: await decideArriving(repository, digest, now) };

  function decide(image: ImageManifestRow): Promise<PullDecision> {
    return decisions.decide({ db: store.db, ports, now }, repository, image);
  }
}
