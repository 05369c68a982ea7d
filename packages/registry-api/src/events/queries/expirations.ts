import type { RegistryDb } from "../../store/tables/all.ts";
import { maxFailures } from "./repository-notifications.ts";

/** A notification of tags that are about to expire, with its repository. */
export interface ExpirationReceiver {
  readonly id: string;
  readonly event_config: string;
  readonly repository_id: string;
  readonly name: string;
  readonly namespace: string;
}

/** Some notifications of tags that are about to expire, by their ids: those that are not disabled for their failures. */
export async function listExpirationReceivers(
  db: RegistryDb,
  after: string,
  limit: number,
): Promise<readonly ExpirationReceiver[]> {
  return db
    .selectFrom("repository_notification")
    .innerJoin("image_repository", "image_repository.id", "repository_notification.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select([
      "repository_notification.id",
      "repository_notification.event_config",
      "repository_notification.repository_id",
    ])
    .select(["image_repository.name", "account.username as namespace"])
    .where("repository_notification.event", "=", "repo_image_expiry")
    .where("repository_notification.id", ">", after)
    .where("repository_notification.failures", "<", maxFailures)
    .where("image_repository.state", "!=", "deleted")
    .orderBy("repository_notification.id")
    .limit(limit)
    .execute();
}

/** A tag that is about to expire. */
export interface ExpiringTag {
  readonly id: string;
  readonly name: string;
  readonly end_at: number;
}

/** Some tags of a repository that expire within a span and whose expiration was not told yet, or was another then; the next ones first. */
export async function listUnnotifiedTags(
  db: RegistryDb,
  { id, repository_id }: Pick<ExpirationReceiver, "id" | "repository_id">,
  { from, until, limit }: { readonly from: number; readonly until: number; readonly limit: number },
): Promise<readonly ExpiringTag[]> {
  const rows = await db
    .selectFrom("tag")
    .leftJoin("told_expiration", (join) =>
      join.onRef("told_expiration.tag_id", "=", "tag.id").on("told_expiration.notification_id", "=", id),
    )
    .select(["tag.id", "tag.name", "tag.end_at"])
    .where("tag.repository_id", "=", repository_id)
    .where("tag.end_at", ">", from)
    .where("tag.end_at", "<=", until)
    .where(({ or, eb, ref }) =>
      or([eb("told_expiration.end_at", "is", null), eb("told_expiration.end_at", "!=", ref("tag.end_at"))]),
    )
    .orderBy("tag.end_at")
    .limit(limit)
    .execute();
  return rows.map(({ end_at, ...tag }) => ({ ...tag, end_at: Number(end_at) }));
}

/** Remembers that the expiration of some tags was told. */
export async function putNotified(db: RegistryDb, notificationId: string, tags: readonly ExpiringTag[]): Promise<void> {
  const rows = tags.map(({ id, end_at }) => ({ tag_id: id, notification_id: notificationId, end_at }));
  await db
    .insertInto("told_expiration")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["tag_id", "notification_id"]).doUpdateSet(({ ref }) => ({ end_at: ref("excluded.end_at") })),
    )
    .execute();
}
