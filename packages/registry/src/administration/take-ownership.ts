import type { NamespaceSubject } from "../access/as-superuser.ts";
import type { CallContext } from "../context.ts";
import { makeOrganization } from "../identity/users/convert-user.ts";
import { addAdmin } from "../organizations/organizations.ts";
import { rejectSuperuser } from "./install-users.ts";

/**
 * Makes a superuser an administrator of a namespace. A user is converted into an organization, even if they are the only administrator
 * of other organizations. The entry is written to the usage log of the superuser.
 * @throws RegistryError `invalid_request` for superusers
 */
export async function takeOwnership(
  context: CallContext<"take_ownership">,
  { namespace, superuser }: NamespaceSubject,
): Promise<void> {
  rejectSuperuser(context, namespace, "take ownership of");
  const wasUser = namespace.kind === "user";
  if (wasUser) await makeOrganization(context.db, namespace, superuser);
  else await addAdmin(context.db, namespace, superuser);
  const metadata = {
    entity_id: namespace.id,
    namespace: namespace.username,
    was_user: wasUser,
    superuser: superuser.username,
  };
  await context.log("take_ownership", metadata, { namespaceId: superuser.id });
}
