import { onNamespace } from "@plimsoll/registry/access/as-superuser";
import { takeOwnership } from "@plimsoll/registry/administration/take-ownership";
import { Type } from "typebox";
import { operation } from "../../operation.ts";

const take = operation({
  id: "takeOwnership",
  audit: ["take_ownership"],
  method: "POST",
  path: "/superuser/takeownership/{namespace}",
  summary: "Administer an organization, or a user as an organization.",
  tag: "superuser",
  internal: true,
  access: onNamespace,
  freshLogin: true,
  success: 200,
  result: Type.Object({ namespace: Type.String() }),
  async handle({ subject }, context) {
    await takeOwnership(context, subject);
    return { namespace: subject.namespace.username };
  },
});

/** Operations of superusers on namespaces of other accounts. */
export const superuserNamespaceOperations = [take];
