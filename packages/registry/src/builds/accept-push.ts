import { anonymous } from "../access/principal.ts";
import type { Deps } from "../deps.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { writeUsageLog } from "../store/usage-log.ts";
import { compileGlobs } from "../values/globs.ts";
import { queueBuild } from "./builds.ts";
import { type BuildTriggerRow, findTriggered, insertDelivery } from "./queries/triggers.ts";
import { entryOf, type TriggeredRequest } from "./triggers.ts";

/** A push to a git repository. */
export interface Push {
  /** `refs/heads/main` */
  readonly ref: string;
  readonly commit: string;
  readonly isDefaultBranch: boolean;
}

/** A push of which a trigger was told by its forge. */
export interface ReportedPush {
  readonly trigger: BuildTriggerRow;
  readonly push: Push;
  /** The key that identifies the delivery. */
  readonly key: string;
  readonly ip: string;
}

/** What follows from a push. */
export type AcceptedPush = { readonly buildId: string } | { readonly ignoredBecause: string };

/** Queues a build of a push, once for each delivery. @throws RegistryError if it cannot be built now: the forge may deliver it again */
export async function acceptPush(
  { store, ...deps }: Pick<Deps, "store" | "clock" | "settings" | "imageBuilder" | "gitArchives" | "pageAddress">,
  { trigger, push, key, ip }: ReportedPush,
): Promise<AcceptedPush> {
  const now = deps.clock.now();
  if (trigger.is_enabled !== 1) return { ignoredBecause: "The trigger is turned off" };
  const patterns = JSON.parse(trigger.refs) as readonly string[];
  if (!compileGlobs(patterns)(push.ref)) return { ignoredBecause: `No pattern matches ${push.ref}` };
  return store.transaction(async (db) => {
    const repository = await findTriggered(db, trigger.repository_id);
    if (repository === undefined) throw notFound("The repository of the trigger has been deleted: remove the webhook");
    if (repository.state !== "NORMAL") throw invalidRequest("The repository does not accept pushes");
    const isNew = await insertDelivery(db, { trigger_id: trigger.id, delivery_key: key, at: now });
    if (!isNew) return { ignoredBecause: "The delivery was taken before" };
    const same = JSON.parse(trigger.request) as TriggeredRequest;
    const request = { tags: tagsOfPush(push), ...same, git_url: trigger.git_url, git_ref: push.commit };
    const place = { namespaceId: repository.namespace_id, repositoryId: repository.id };
    const { id } = await queueBuild(
      {
        ...{ ...deps, db, now },
        log: (kind, metadata) => writeUsageLog(db, { kind, metadata, ...place, principal: anonymous, ip, at: now }),
      },
      repository,
      { request, triggerId: trigger.id },
    );
    return { buildId: id };
  });
}

/** The tags of the image of a push: the name of its branch or tag, and `latest` for the default branch. */
export function tagsOfPush({ ref, isDefaultBranch }: Push): readonly string[] {
  return [ref.replace(/^refs\/(?:heads|tags)\//, ""), ...(isDefaultBranch ? ["latest"] : [])];
}

/** A delivery to a trigger that was not accepted. */
interface RefusedDelivery {
  readonly ip: string;
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Logs that a delivery was refused, unless the repository of its trigger is deleted. */
export async function logRefusedDelivery(
  db: RegistryDb,
  trigger: BuildTriggerRow,
  { ip, reason, at }: RefusedDelivery,
): Promise<void> {
  const repository = await findTriggered(db, trigger.repository_id);
  if (repository === undefined) return;
  const place = { namespaceId: repository.namespace_id, repositoryId: repository.id };
  const metadata = { ...entryOf(repository, trigger), reason };
  await writeUsageLog(db, { kind: "build_trigger_refused", metadata, ...place, principal: anonymous, ip, at });
}
