import type { ImageRepository } from "@plimsoll/registry/access/queries";
import {
  findManifestRow,
  hasArtifactWith,
  listArrivingWith,
  listImagesWith,
  type ManifestWith,
} from "@plimsoll/registry/distribution/queries";
import {
  decideArriving,
  type GateOpinion,
  isEnforced,
  isGated,
  type PullDecision,
} from "@plimsoll/registry/security/pull-gate/decide-pull";
import { findKind } from "@plimsoll/registry/security/pull-gate/find-kind";
import type { Distribution, Exchange, OfDigest } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
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

/** How many manifests with a blob are looked at for one request, and how many of them are decided anew, with how many bytes together. */
const [mostListed, mostDecided, mostBytes] = [1000, 50, 8 * 1024 * 1024] as const;

/**
 * The decisions about the images that have a blob; none if only artifacts have it. Cached decisions come first: a client has pulled the
 * manifest before. The others are bounded, since everyone who may push can add images with the blob.
 * @throws DistributionError `DENIED` if more images would have to be decided
 */
async function* judge(distribution: Distribution, { now }: Exchange, blob: PulledBlob): AsyncGenerator<Judged> {
  const { registry, decisions } = distribution;
  const context = { ...registry, db: registry.store.db, now };
  const { db } = context;
  const { repository, digest } = blob;
  const at = { repositoryId: repository.id, digest };
  const listed = await listImagesWith(db, at, mostListed);
  const unknown: ManifestWith[] = [];
  for (const image of listed) {
    const known = image.kind === "image" ? decisions.recall(repository, image, now) : undefined;
    if (known === undefined) unknown.push(image);
    else yield { digest: image.digest, decision: await known };
  }
  let images = listed.length - unknown.length;
  let [left, bytes] = [mostDecided, mostBytes];
  for (const { id, size_bytes: size } of unknown) {
    if (left-- === 0 || bytes <= 0) throw tooMany(digest);
    bytes -= size;
    const row = await findManifestRow(db, id);
    if (row === undefined || (await findKind(context, row)) === "artifact") continue;
    images += 1;
    yield { digest: row.digest, decision: await decisions.decide(context, repository, row) };
  }
  if (listed.length === mostListed) throw tooMany(digest);
  if (images === 0 && (await hasArtifactWith(db, at))) return;
  const arriving = await listArrivingWith(db, at);
  for (const each of arriving) yield { digest: each, decision: await decideArriving(repository, each, now) };
  if (images + arriving.length === 0) yield { digest, decision: await decideArriving(repository, digest, now) };
}

function tooMany(digest: string): DistributionError {
  const message = `too many images of the repository have the blob ${digest} to decide about all of them: pull the manifest of an image that has it first, and then the blob`;
  return new DistributionError("DENIED", message);
}
