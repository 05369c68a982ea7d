import type { Json } from "@plimsoll/core/report";
import type { ImageRepository } from "@plimsoll/registry/access/queries/image-repositories";
import { emitEvent } from "@plimsoll/registry/events/emit-event";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { LRUCache } from "lru-cache";
import type { Distribution } from "./distribution.ts";

/** A pull that a gate refused. */
export interface RefusedPull {
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
export async function emitRefusedPull(
  { registry: { settings, clock }, decisions }: Pick<Distribution, "registry" | "decisions">,
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
  await emitEvent({ db, settings, clock }, repository, { event: "repo_pull_refused", members });
}
