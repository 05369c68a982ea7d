import type { Json } from "@plimsoll/core/report";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { emitEvent } from "@plimsoll/registry/events/emit-event";
import type { GateOpinion } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { describeOpinion, noteOf } from "@plimsoll/registry/security/pull-gate/describe-opinion";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { ifWritable } from "@plimsoll/store";
import { LRUCache } from "lru-cache";
import { repositoryApiPath } from "../operation.ts";
import type { Distribution, Exchange } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";

/** A pull that a gate refuses. */
export interface Refused {
  readonly repository: ImageRepository;
  /** The digest of the manifest. */
  readonly digest: string;
  /** The requested tag or digest. */
  readonly reference: string;
  readonly mediaType?: string;
  readonly refusal: GateOpinion;
}

/** Refuses a pull, logs it in the usage log, and emits its event. @throws DistributionError `DENIED` */
export async function refusePull(
  { registry, decisions }: Distribution,
  exchange: Exchange,
  { repository, digest, reference, mediaType, refusal }: Refused,
): Promise<never> {
  const details = noteOf(refusal);
  const message = describeOpinion(refusal, exceptionRequest(refusal, repository));
  const described = { repository, reference, note: { pull_gate: details }, mediaType: mediaType || undefined };
  await ifWritable(async () => {
    await logUse(registry.store.relaxed, exchange, { kind: "pull_repo_failed", ...described });
    const refused = { repository, digest, reference, message, note: details, now: exchange.now };
    await emitRefusedPull({ registry, decisions }, registry.store.relaxed, refused);
  });
  throw new DistributionError("DENIED", message, { detail: { digest, ...details } });
}

/** The request that adds an exception to the gate. */
function exceptionRequest({ owner }: GateOpinion, repository: ImageRepository): string {
  const path =
    owner === "organization" ? `/api/v1/organization/${repository.namespace}` : repositoryApiPath(repository);
  return `POST ${path}/pullgate/exceptions`;
}

/** A pull that a gate refused. */
interface RefusedPull {
  readonly repository: ImageRepository;
  readonly digest: string;
  /** The requested tag or digest. */
  readonly reference: string;
  readonly message: string;
  /** The metadata of its usage log entry. */
  readonly note: { readonly [name: string]: Json | undefined };
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Repeated refused pulls of an image emit one event in this time. */
const quietMs = 3_600_000;

/** The most images whose last event is stored; the oldest is evicted first. */
const maxImages = 10_000;

/** The time of each image's last event on this node; the key identifies the registry. */
const lastEvents = new WeakMap<Distribution["decisions"], LRUCache<string, number>>();

/** Emits the event that a pull was refused, at most once an hour for an image. */
async function emitRefusedPull(
  { registry: { settings, clock, pageAddress }, decisions }: Pick<Distribution, "registry" | "decisions">,
  db: RegistryDb,
  { repository, digest, reference, message, note, now }: RefusedPull,
): Promise<void> {
  const images = lastEvents.get(decisions) ?? new LRUCache<string, number>({ max: maxImages });
  lastEvents.set(decisions, images);
  const image = `${repository.id} ${digest}`;
  if (now - (images.get(image) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
  images.set(image, now);
  const tags = reference.includes(":") ? [] : [reference];
  const members = { message, updated_tags: tags, manifest_digest: digest, ...note };
  await emitEvent({ db, settings, clock, pageAddress }, repository, { event: "repo_pull_refused", members });
}
