import { Type } from "typebox";
import { onInstallUser } from "../access/as-superuser.ts";
import { superusers } from "../access/on-account.ts";
import { encryptPassword } from "../crypto/encrypted-password.ts";
import { hashPassword } from "../crypto/passwords.ts";
import { operation } from "../operation.ts";
import {
  changeInstallUser,
  createInstallUser,
  deleteInstallUser,
  generatePassword,
  listAllUsers,
} from "../rules/install-users.ts";
import { checkPassword } from "../rules/names.ts";
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
    return { username, email, password, encrypted_password: encryptPassword(context.secrets, password) };
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

const one = { ...resource, access: onInstallUser, internal: true } as const;

const getOperation = operation({
  ...one,
  id: "getInstallUser",
  method: "GET",
  path: "/superuser/users/{username}",
  summary: "One user.",
  success: 200,
  result: InstallUser,
  handle: async ({ subject }, { settings }) => installUserView(subject.user, settings),
});

const changeOperation = operation({
  ...one,
  id: "changeInstallUser",
  method: "PUT",
  path: "/superuser/users/{username}",
  summary: "Change a user's password or e-mail address, or whether they may sign in.",
  freshLogin: true,
  body: Type.Object({
    password: Type.Optional(Type.String({ maxLength: 1024 })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    enabled: Type.Optional(Type.Boolean()),
  }),
  success: 200,
  result: Type.Intersect([InstallUser, Type.Object({ encrypted_password: Type.Optional(Type.String()) })]),
  async prepare({ body: { password } }) {
    if (password === undefined) return undefined;
    checkPassword(password);
    return hashPassword(password);
  },
  async handle({ subject, body, prepared: passwordHash }, context) {
    const { password, ...changes } = body;
    const user = await changeInstallUser(context, subject, { ...changes, passwordHash });
    const shown = password !== undefined && { encrypted_password: encryptPassword(context.secrets, password) };
    return { ...installUserView(user, context.settings), ...shown };
  },
});

const deleteOperation = operation({
  ...one,
  id: "deleteInstallUser",
  method: "DELETE",
  path: "/superuser/users/{username}",
  summary: "Delete a user with all that they have, whatever they administer alone.",
  freshLogin: true,
  success: 204,
  handle: ({ subject }, context) => deleteInstallUser(context, subject),
});

/** The users of the registry, for superusers. */
export const installUserOperations = [createOperation, listOperation, getOperation, changeOperation, deleteOperation];
