import { schemaMigration } from "./schema-migration.ts";

/** Lets a namespace have notifications as repositories have: a notification is of either. A new column takes the ids, since SQLite cannot make one nullable. */
export const namespaceNotificationsMigration = schemaMigration("0062-namespace-notifications", [
  "alter table repository_notification rename to event_notification",
  "alter table repository_delivery rename to event_delivery",
  "drop index repository_notification_repository",
  "drop index repository_notification_made",
  "alter table event_notification add column of_repository TEXT references image_repository (id) on delete cascade",
  "update event_notification set of_repository = repository_id",
  "alter table event_notification drop column repository_id",
  "alter table event_notification rename column of_repository to repository_id",
  "alter table event_notification add column namespace_id TEXT references account (id) on delete cascade",
  "create index event_notification_repository on event_notification (repository_id, event)",
  "create index event_notification_made on event_notification (repository_id, created_at, id)",
  "create index event_notification_namespace on event_notification (namespace_id, created_at, id) where namespace_id is not null",
]);
