import {
  type AffectedSource,
  createNotifier,
  type Delivery,
  type Notification,
  type Transport,
  type UpdateSource,
} from "@plimsoll/notifier";
import type { ChangedFinding, ImageChange, ImageWatch } from "@plimsoll/registry-api";
import { reasonOf } from "./outages.ts";
import type { ServiceParts } from "./service-parts.ts";
import { startJobs } from "./start-jobs.ts";

/** The parts of the image watch of this process. */
export interface WatchingOptions extends Pick<ServiceParts, "store" | "clock" | "logger" | "settings" | "tracer"> {
  readonly imageWatch: ImageWatch;
  readonly updates: UpdateSource;
  readonly affected: AffectedSource;
}

/** Reports to the registry of this process what updates of feeds change for its images, until `resources` is disposed. */
export async function openImageWatch(options: WatchingOptions, resources: AsyncDisposableStack): Promise<void> {
  const { imageWatch, updates, affected, store, clock, settings } = options;
  const notifier = createNotifier({
    subscriber: "registry",
    store,
    clock,
    updates,
    affected: onlyWatched(affected, imageWatch),
    mode: "full",
    firstSight: "notify",
    pollEveryMs: settings.registryPollSeconds * 1000,
    transport: imageWatchTransport(imageWatch),
  });
  await startJobs({ ...options, ...notifier }, resources);
}

/** Limits affected manifests to those in repositories. The indexer is queried only if the registry needs it. */
function onlyWatched(affected: AffectedSource, imageWatch: ImageWatch): AffectedSource {
  return {
    async *listAffected(vulnerabilities, options) {
      if (!(await imageWatch.isNeeded())) return;
      for await (const { ids, manifests } of affected.listAffected(vulnerabilities, options)) {
        const watched = await imageWatch.filter(manifests);
        if (watched.length > 0) yield { ids, manifests: watched };
      }
    },
  };
}

/** How many notifications are read at a time. */
const listLength = 500;

/** A transport that passes the notifications of a set to the registry, image by image. */
export function imageWatchTransport(imageWatch: ImageWatch): Transport {
  return {
    name: "registry",
    isDirect: true,
    async deliver(delivery, { signal }) {
      try {
        for await (const change of changesOf(delivery)) {
          signal.throwIfAborted();
          await imageWatch.applyChange(change, { signal });
        }
        return { kind: "delivered" };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: "retry", reason: `the registry could not process the change: ${reasonOf(error)}` };
      }
    },
  };
}

/** Groups the notifications of a set by image. Those of one image follow each other. */
async function* changesOf(delivery: Delivery): AsyncGenerator<ImageChange> {
  const cause = delivery.isFirst ? "feed" : "update";
  let digest: string | undefined;
  let found: Record<Notification["reason"], ChangedFinding[]> = { added: [], removed: [] };
  for await (const list of delivery.lists(listLength)) {
    for (const { manifest, reason, vulnerability } of list) {
      if (digest !== undefined && manifest !== digest) {
        yield { cause, digest, ...found };
        found = { added: [], removed: [] };
      }
      digest = manifest;
      found[reason].push({ name: vulnerability.name, severity: vulnerability.normalized_severity });
    }
  }
  if (digest !== undefined) yield { cause, digest, ...found };
}
