import { schemaMigration } from "./schema-migration.ts";

/** Adds the deliveries of notifications, their secrets, and the expirations of tags for which events were queued. */
export const deliveriesMigration = schemaMigration("0016-deliveries", [
  "alter table repository_notification add column secret_sealed TEXT",
  `create table repository_delivery (id TEXT not null primary key,
     notification_id TEXT not null references repository_notification (id) on delete cascade, is_test integer not null,
     payload TEXT not null, state TEXT not null, attempts integer not null, detail TEXT not null, began_at bigint not null,
     changed_at bigint not null)`,
  "create index repository_delivery_began on repository_delivery (notification_id, began_at desc, id desc)",
  `create table told_expiration (tag_id TEXT not null references tag (id) on delete cascade,
     notification_id TEXT not null references repository_notification (id) on delete cascade, end_at bigint not null,
     primary key (tag_id, notification_id))`,
  "create index told_expiration_notification on told_expiration (notification_id)",
  "create index repository_notification_event on repository_notification (event, id)",
]);
