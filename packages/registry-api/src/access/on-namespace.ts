import { notFound } from "../errors.ts";
import { type AccountRow, findAccount } from "../store/accounts.ts";
import type { Access } from "./access.ts";
import { type SuperuserSubject, superusers } from "./on-account.ts";

/** A user or an organization that a superuser arranges something for. */
export interface NamespaceSubject extends SuperuserSubject {
  readonly namespace: AccountRow;
}

/** Superusers, about the user or organization of the path's `namespace`. */
export const onNamespace: Access<NamespaceSubject> = {
  ...superusers,
  async admit(request) {
    const subject = await superusers.admit(request);
    const namespace = await findAccount(request.db, request.params.namespace ?? "", "user", "organization");
    if (namespace === undefined) throw notFound();
    return { ...subject, namespace };
  },
};
