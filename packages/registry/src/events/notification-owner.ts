import type { AccountRow, ImageRepository } from "../access/queries.ts";
import type { Deps } from "../deps.ts";
import type { RegistrySettings } from "../settings.ts";
import type { NotificationsOf } from "./queries/notifications.ts";

/** What a notification is of: a repository, or a namespace itself. */
export type NotificationOwner =
  | { readonly kind: "repository"; readonly repository: ImageRepository }
  | { readonly kind: "namespace"; readonly namespace: Pick<AccountRow, "id" | "username" | "kind"> };

/** Which stored notifications an owner has. */
export function notificationsOf(owner: NotificationOwner): NotificationsOf {
  if (owner.kind === "repository") return { column: "repository_id", id: owner.repository.id };
  return { column: "namespace_id", id: owner.namespace.id };
}

/** The user or the organization that an owner is, or belongs to. */
export function namespaceOf(owner: NotificationOwner): Pick<AccountRow, "id" | "username" | "kind"> {
  if (owner.kind === "namespace") return owner.namespace;
  const { namespace_id: id, namespace: username, namespaceKind: kind } = owner.repository;
  return { id, username, kind };
}

/** What the addresses in events are made of. */
export interface EventAddresses extends Pick<Deps, "pageAddress"> {
  readonly settings: Pick<RegistrySettings, "host">;
}

/** The members that describe the repository in every event. */
export function repositoryMembers(
  { settings, pageAddress }: EventAddresses,
  { namespace, name }: Pick<ImageRepository, "namespace" | "name">,
) {
  return {
    repository: `${namespace}/${name}`,
    namespace,
    name,
    docker_url: `${settings.host}/${namespace}/${name}`,
    homepage: pageAddress({ kind: "repository", namespace, name }),
  };
}

/** The members that describe the namespace in every event of its own. */
export function namespaceMembers({ pageAddress }: Pick<EventAddresses, "pageAddress">, namespace: string) {
  return { namespace, homepage: pageAddress({ kind: "namespace", namespace }) };
}

/** The members that describe an owner in every event. */
export function ownerMembers(addresses: EventAddresses, owner: NotificationOwner) {
  if (owner.kind === "repository") return repositoryMembers(addresses, owner.repository);
  return namespaceMembers(addresses, owner.namespace.username);
}
