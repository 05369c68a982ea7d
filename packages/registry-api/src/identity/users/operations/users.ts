import { anyone, onSelf, visitors } from "@plimsoll/registry/access/on-account";
import { findAccount, findUserByEmail } from "@plimsoll/registry/access/queries/accounts";
import { encryptPassword } from "@plimsoll/registry/crypto/secrets";
import { invalidRequest, noMail, notFound } from "@plimsoll/registry/errors";
import { checkOwnPassword } from "@plimsoll/registry/identity/sign-in/identify-login";
import { initializeRegistry } from "@plimsoll/registry/identity/users/initialize-registry";
import { sendEmailCode } from "@plimsoll/registry/mail/email-codes";
import { checkPassword } from "@plimsoll/registry/values/names";
import { Type } from "typebox";
import { Email, NextPage, Password } from "../../../accounts/schemas.ts";
import { operation } from "../../../operation.ts";
import { PublicUser, publicUserView } from "../views/user.ts";

const shared = { tag: "user", internal: true, success: 200 } as const;

const getUserInformation = operation({
  ...shared,
  id: "getUserInformation",
  method: "GET",
  path: "/users/{username}",
  summary: "A user.",
  access: visitors,
  result: PublicUser,
  async handle({ params }, { db }) {
    const account = await findAccount(db, params.username, "user");
    if (account === undefined || account.enabled === 0) throw notFound(`There is no user ${params.username}`);
    return publicUserView(account);
  },
});

const initialize = operation({
  ...shared,
  id: "initializeRegistry",
  audit: ["user_create"],
  method: "POST",
  path: "/user/initialize",
  summary: "Make the first user of a registry that has none.",
  feature: "userInitialize",
  access: anyone,
  body: Type.Object({
    username: Type.String({ maxLength: 511 }),
    password: Password,
    email: Type.Optional(Email),
    access_token: Type.Optional(Type.Boolean({ description: "Whether to make a token with every scope" })),
  }),
  result: Type.Object({
    username: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
    encrypted_password: Type.String({ description: "The password as programs may keep it" }),
    access_token: Type.Optional(Type.String()),
  }),
  async prepare({ body }, { passwords }) {
    checkPassword(body.password);
    return passwords.hash(body.password);
  },
  async handle({ body: { access_token: wantsToken = false, password, ...user }, prepared: passwordHash }, context) {
    const { account, token } = await initializeRegistry(context, { ...user, passwordHash, wantsToken });
    const { username, email } = account;
    const encrypted_password = encryptPassword(context.secrets, password);
    return { username, email, encrypted_password, access_token: token || undefined };
  },
});

const generateClientKey = operation({
  ...shared,
  id: "generateUserClientKey",
  audit: ["user_generate_client_key"],
  method: "POST",
  path: "/user/clientkey",
  summary: "The caller's password as programs may keep it.",
  access: onSelf("user:admin"),
  body: Type.Object({ password: Password }),
  result: Type.Object({ key: Type.String() }),
  async prepare({ subject, body }, context) {
    if (!(await checkOwnPassword(context, subject.account, body.password))) throw invalidRequest("Invalid password");
  },
  async handle({ body }, { secrets, log }) {
    await log("user_generate_client_key", {});
    return { key: encryptPassword(secrets, body.password) };
  },
});

const requestRecovery = operation({
  ...shared,
  id: "requestRecoveryEmail",
  method: "POST",
  path: "/recovery",
  summary:
    "Send the user of an e-mail address a link for choosing a new password. The answer is the same whether or not there is such a user.",
  access: anyone,
  body: Type.Object({ email: Email, next: Type.Optional(NextPage) }),
  result: Type.Object({ status: Type.Literal("sent") }),
  async handle({ body }, context) {
    if (context.mailer === undefined) throw noMail();
    const account = await findUserByEmail(context.db, body.email);
    if (account?.enabled === 1 && account.email !== null) {
      await sendEmailCode(context, account, { purpose: "recover", email: account.email, next: body.next });
    }
    return { status: "sent" } as const;
  },
});

/** Operations on users: public profiles, the first user, encrypted passwords and account recovery. */
export const userOperations = [getUserInformation, initialize, generateClientKey, requestRecovery];
