import { onSelf } from "@plimsoll/registry/access/on-account";
import { notFound } from "@plimsoll/registry/errors";
import { deleteAssignment, listAssignments } from "@plimsoll/registry/identity/oauth/queries/assignments";
import { ListPageQuery, nextPage, readListPage } from "@plimsoll/registry/lists/list-pages";
import { beforeNewest, type CreationKey } from "@plimsoll/registry/lists/read-from";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { Authorization, authorizationView } from "../views/authorization.ts";

const shared = { tag: "user", internal: true, feature: "oauthAssignments", access: onSelf("user:admin") } as const;

const AssignedAuthorization = Type.Object({
  ...Authorization.properties,
  redirectUri: Type.String(),
  responseType: Type.Literal("token"),
});

const listAssignedAuthorizations = operation({
  ...shared,
  id: "listAssignedAuthorizations",
  method: "GET",
  path: "/user/assignedauthorization",
  summary: "The tokens that the caller is asked to grant applications.",
  query: ListPageQuery,
  success: 200,
  result: Type.Object({ authorizations: Type.Array(AssignedAuthorization), ...nextPage }),
  async handle({ subject: { account }, query }, context) {
    const keyOf = ({ madeAt, uuid }: { readonly madeAt: number; readonly uuid: string }): CreationKey => [madeAt, uuid];
    const list = { list: "assignments", ownerId: account.id, query, first: beforeNewest, keyOf } as const;
    const { rows, ...next } = await readListPage(context, list, (from) =>
      listAssignments(context.db, account.id, from),
    );
    const shown = rows.map((row) => ({
      ...authorizationView(row),
      redirectUri: row.redirectUri,
      responseType: "token" as const,
    }));
    return { authorizations: shown, ...next };
  },
});

const deleteAssignedAuthorization = operation({
  ...shared,
  id: "deleteAssignedAuthorization",
  method: "DELETE",
  path: "/user/assignedauthorization/{assigned_authorization_uuid}",
  about: { assigned_authorization_uuid: "The id of the request to grant a token" },
  summary: "Do not grant a token that the caller is asked to.",
  success: 204,
  async handle({ subject, params }, { db }) {
    const id = params.assigned_authorization_uuid;
    if (!(await deleteAssignment(db, { id, accountId: subject.account.id })))
      throw notFound(
        "You are not asked to grant a token with that id: GET /user/assignedauthorization lists those that you are",
      );
  },
});

/** Operations on the authorizations that users are asked to grant. */
export const assignedAuthorizationOperations = [listAssignedAuthorizations, deleteAssignedAuthorization];
