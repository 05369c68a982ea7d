import type { Json } from "@plimsoll/core/report";
import type { NewJob } from "@plimsoll/store";
import type { ImageRepository } from "../access/queries.ts";
import type { Deps } from "../deps.ts";
import type { RegistrySettings } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { deliverNotificationJob } from "./deliver-event.ts";
import { type EventAddresses, namespaceMembers, repositoryMembers } from "./notification-owner.ts";
import { insertJobs, listReceivers, type RepositoryEvent } from "./queries/notifications.ts";

/** What emitting events needs, of an operation or of a job that changes repositories. */
export interface EventDeps extends Pick<Deps, "clock" | "pageAddress"> {
  readonly db: RegistryDb;
  readonly settings: Pick<RegistrySettings, "host" | "features">;
}

/** The repository of an event. */
type EventRepository = Pick<ImageRepository, "id" | "namespace" | "name">;

/** Queues a delivery of an event for every matching notification of the repository. */
export async function emitEvent(
  deps: EventDeps,
  repository: EventRepository,
  {
    event,
    members,
  }: { readonly event: RepositoryEvent; readonly members: { readonly [name: string]: Json | undefined } },
): Promise<void> {
  if (!deps.settings.features.repositoryNotifications) return;
  const receivers = await listReceivers(deps.db, repository.id, event);
  await insertJobs(deps.db, eventJobs(deps, repository, { receivers, members }), deps.clock);
}

/** An event, and the ids of the notifications that deliver it. */
export interface EventDelivery {
  readonly receivers: readonly string[];
  readonly members: { readonly [name: string]: Json | undefined };
}

/** The jobs that deliver an event of a repository. */
export function eventJobs(
  context: EventAddresses,
  repository: EventRepository,
  delivery: EventDelivery,
): readonly NewJob[] {
  return jobsOf(repositoryMembers(context, repository), delivery);
}

/** The jobs that deliver an event of a namespace itself. */
export function namespaceEventJobs(
  context: Pick<EventAddresses, "pageAddress">,
  namespace: string,
  delivery: EventDelivery,
): readonly NewJob[] {
  return jobsOf(namespaceMembers(context, namespace), delivery);
}

function jobsOf(described: EventDelivery["members"], { receivers, members }: EventDelivery): readonly NewJob[] {
  const event = { ...described, ...members };
  return receivers.map((notificationId) => deliverNotificationJob.of({ notificationId, event }));
}
