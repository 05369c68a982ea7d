import { anonymous } from "@plimsoll/registry/access/principal";
import { queueBuild } from "@plimsoll/registry/builds/builds";
import { type BuildTriggerRow, findTriggered, insertDelivery } from "@plimsoll/registry/builds/queries/triggers";
import type { TriggeredRequest } from "@plimsoll/registry/builds/triggers";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import { compileGlobs } from "@plimsoll/registry/values/globs";
import type { ServedRegistry } from "../http/served-registry.ts";
import { type Push, tagsOfPush } from "./read-push.ts";

/** The result of a delivery. */
export interface AcceptedPush {
  /** Absent if nothing is built. */
  readonly build_id?: string;
  /** Why nothing is built. */
  readonly ignored?: string;
}

/** A delivery whose signature was checked. */
export interface SignedPush {
  readonly trigger: BuildTriggerRow;
  readonly push: Push;
  /** The key that identifies the delivery. */
  readonly key: string;
  readonly ip: string;
}

/** Queues a build of a push, once for each delivery. @throws RegistryError if it cannot be built now: the forge may deliver it again */
export async function acceptPush(
  registry: ServedRegistry,
  { trigger, push, key, ip }: SignedPush,
): Promise<AcceptedPush> {
  const { store, clock } = registry;
  const now = clock.now();
  if (trigger.is_enabled !== 1) return { ignored: "The trigger is turned off" };
  const patterns = JSON.parse(trigger.refs) as readonly string[];
  if (!compileGlobs(patterns)(push.ref)) return { ignored: `No pattern matches ${push.ref}` };
  return store.transaction(async (db) => {
    const repository = await findTriggered(db, trigger.repository_id);
    if (repository === undefined) throw notFound("The repository of the trigger has been deleted: remove the webhook");
    if (repository.state !== "NORMAL") throw invalidRequest("The repository does not accept pushes");
    const isNew = await insertDelivery(db, { trigger_id: trigger.id, delivery_key: key, at: now });
    if (!isNew) return { ignored: "The delivery was taken before" };
    const same = JSON.parse(trigger.request) as TriggeredRequest;
    const request = { tags: tagsOfPush(push), ...same, git_url: trigger.git_url, git_ref: push.commit };
    const place = { namespaceId: repository.namespace_id, repositoryId: repository.id };
    const { id } = await queueBuild(
      {
        ...{ ...registry, db, now },
        log: (kind, metadata) => writeUsageLog(db, { kind, metadata, ...place, principal: anonymous, ip, at: now }),
      },
      repository,
      { request, triggerId: trigger.id },
    );
    return { build_id: id };
  });
}
