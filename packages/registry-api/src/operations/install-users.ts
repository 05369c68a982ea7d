import { Type } from "typebox";
import { superusers } from "../access/on-account.ts";
import { operation } from "../operation.ts";
import { createInstallUser, generatePassword, listAllUsers } from "../rules/install-users.ts";
import { InstallUser, installUserView } from "../views/install-user.ts";

const resource = { tag: "superuser", access: superusers } as const;

const NewInstallUser = Type.Object({
  username: Type.String({ maxLength: 255 }),
  email: Type.Optional(Type.Union([Type.String({ maxLength: 254 }), Type.Null()])),
});

const CreatedInstallUser = Type.Object({
  username: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  password: Type.String({ description: "Shown this once" }),
  encrypted_password: Type.String({ description: "The password as programs may keep it" }),
});

const UsersQuery = Type.Object({
  next_page: Type.Optional(Type.String({ maxLength: 2000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  disabled: Type.Optional(Type.Boolean({ description: "False: only those who are enabled" })),
});

const createOperation = operation({
  ...resource,
  id: "createInstallUser",
  method: "POST",
  path: "/superuser/users/",
  summary: "Make an account with a password made for it.",
  freshLogin: true,
  body: NewInstallUser,
  success: 201,
  result: CreatedInstallUser,
  prepare: () => generatePassword(),
  async handle({ body, prepared, subject }, context) {
    const { username, email } = await createInstallUser(context, { ...body, ...prepared, ...subject });
    const { password } = prepared;
    return { username, email, password, encrypted_password: context.secrets.seal(`password:${password}`) };
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
  result: Type.Object({ users: Type.Array(InstallUser), next_page: Type.Optional(Type.String()) }),
  async handle({ query }, context) {
    const { rows, ...next } = await listAllUsers(context, query);
    return { users: rows.map((row) => installUserView(row, context.settings)), ...next };
  },
});

/** The users of the registry, for superusers. */
export const installUserOperations = [createOperation, listOperation];
