import { onInstallUser } from "@plimsoll/registry/access/as-superuser";
import { superusers } from "@plimsoll/registry/access/on-account";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { listAllAccounts } from "@plimsoll/registry/accounts/all-accounts";
import {
  changeInstallUser,
  createInstallUser,
  deleteInstallUser,
  generatePassword,
  sendRecovery,
} from "@plimsoll/registry/administration/install-users";
import { encryptPassword } from "@plimsoll/registry/crypto/secrets";
import { findParameters, orderParameter, totalOfList } from "@plimsoll/registry/lists/list-pages";
import { Type } from "typebox";
import { AccountPageQuery, ClearableEmail, Email, Password } from "../../accounts/views.ts";
import type { OperationContext } from "../../context.ts";
import { hashNewPassword } from "../../identity/users/operations.ts";
import { InstallUser, installUserView } from "../../identity/users/views.ts";
import { operation } from "../../operation.ts";
import { summarizeQuota, summarizeQuotas } from "../../organizations/quotas/views.ts";

const resource = { tag: "superuser", access: superusers, freshLogin: true } as const;

const NewInstallUser = Type.Object({
  username: Type.String({ maxLength: 255 }),
  email: Type.Optional(ClearableEmail),
});

const CreatedInstallUser = Type.Object({
  username: Type.String(),
  email: Type.String({ description: "Empty: none" }),
  password: Type.String({ description: "Shown this once" }),
  encrypted_password: Type.String({ description: "The password as programs may keep it" }),
});

const UsersQuery = Type.Object({
  ...AccountPageQuery.properties,
  disabled: Type.Optional(Type.Boolean({ description: "False: only enabled users" })),
  order: orderParameter(["name"], "as they were made"),
  ...findParameters,
});

const createOperation = operation({
  ...resource,
  id: "createInstallUser",
  audit: ["user_create"],
  method: "POST",
  path: "/superuser/users/",
  summary: "Make an account with a password made for it.",
  body: NewInstallUser,
  success: 201,
  result: CreatedInstallUser,
  prepare: (_, { passwords }) => generatePassword(passwords),
  async handle({ body, prepared: { password, passwordHash }, subject }, context) {
    const wanted = { username: body.username, email: body.email || undefined, passwordHash };
    const { username, email } = await createInstallUser(context, subject, wanted);
    return { username, email: email ?? "", password, encrypted_password: encryptPassword(context.secrets, password) };
  },
});

const listOperation = operation({
  ...resource,
  id: "listAllUsers",
  method: "GET",
  path: "/superuser/users/",
  summary: "The users of the registry.",
  query: UsersQuery,
  success: 200,
  result: Type.Object({ users: Type.Array(InstallUser), next_page: Type.Optional(Type.String()), ...totalOfList }),
  async handle({ query }, context) {
    const { rows, ...next } = await listAllAccounts(context, "user", query);
    const quotaOf = await summarizeQuotas(context, rows);
    return { users: rows.map((row) => installUserView(row, context.settings, quotaOf(row.id))), ...next };
  },
});

const one = { ...resource, access: onInstallUser, internal: true } as const;

const getOperation = operation({
  ...one,
  id: "getInstallUser",
  versionMembers: ["email", "enabled"],
  method: "GET",
  path: "/superuser/users/{username}",
  summary: "One user.",
  success: 200,
  result: InstallUser,
  handle: async ({ subject }, context) => show(subject.user, context),
});

const changeOperation = operation({
  ...one,
  id: "changeInstallUser",
  version: getOperation,
  audit: ["user_disable", "user_change_email", "user_change_password", "user_enable"],
  method: "PUT",
  path: "/superuser/users/{username}",
  summary: "Change a user's password or e-mail address, or whether they may sign in.",
  body: Type.Object({
    password: Type.Optional(Password),
    email: Type.Optional(Email),
    enabled: Type.Optional(Type.Boolean()),
  }),
  success: 200,
  result: Type.Intersect([InstallUser, Type.Object({ encrypted_password: Type.Optional(Type.String()) })]),
  prepare: hashNewPassword,
  async handle({ subject, body, prepared: passwordHash }, context) {
    const { password, ...changes } = body;
    const user = await changeInstallUser(context, subject, { ...changes, passwordHash });
    const shown = password !== undefined && { encrypted_password: encryptPassword(context.secrets, password) };
    return { ...(await show(user, context)), ...shown };
  },
});

const deleteOperation = operation({
  ...one,
  id: "deleteInstallUser",
  version: getOperation,
  audit: ["user_delete"],
  method: "DELETE",
  path: "/superuser/users/{username}",
  summary: "Delete a user with all their data, even if they are the only admin of an organization.",
  success: 204,
  handle: ({ subject }, context) => deleteInstallUser(context, subject),
});

const sendRecoveryOperation = operation({
  ...one,
  id: "sendInstallUserRecoveryEmail",
  method: "POST",
  path: "/superusers/users/{username}/sendrecovery",
  summary: "Send a user a link for choosing another password.",
  success: 200,
  result: Type.Object({ email: Type.String() }),
  handle: async ({ subject }, context) => ({ email: await sendRecovery(context, subject) }),
});

async function show(user: AccountRow, context: OperationContext): Promise<InstallUser> {
  return installUserView(user, context.settings, await summarizeQuota(context, user.id));
}

/** Operations of superusers on users. */
export const installUserOperations = [
  createOperation,
  listOperation,
  getOperation,
  changeOperation,
  deleteOperation,
  sendRecoveryOperation,
];
