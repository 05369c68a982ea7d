import { anyone, onSelf, visitors } from "@plimsoll/registry/access/on-account";
import { heldScopes } from "@plimsoll/registry/access/principal";
import { type AccountRow, findAccount, findUserByEmail } from "@plimsoll/registry/access/queries";
import { signedInUser } from "@plimsoll/registry/access/session";
import { listExternalLogins } from "@plimsoll/registry/accounts/external-logins/queries";
import { encryptPassword } from "@plimsoll/registry/crypto/secrets";
import { invalidRequest, noMail, notFound } from "@plimsoll/registry/errors";
import { checkOwnPassword } from "@plimsoll/registry/identity/sign-in/identify-login";
import { replaceSession } from "@plimsoll/registry/identity/sign-in/sign-in";
import { changeUser } from "@plimsoll/registry/identity/users/change-user";
import { initializeRegistry } from "@plimsoll/registry/identity/users/operator-users";
import { convertUser, deleteUser, identifyNewOwner, signUp } from "@plimsoll/registry/identity/users/users";
import { sendEmailCode } from "@plimsoll/registry/mail/email-codes";
import { listUserOrganizations } from "@plimsoll/registry/organizations/queries";
import { noMailer } from "@plimsoll/registry/ports";
import { checkPassword } from "@plimsoll/registry/values/names";
import { Type } from "typebox";
import { ClearableEmail, Email, NextPage, Password, TagExpiration } from "../../accounts/views.ts";
import type { OperationContext } from "../../context.ts";
import { operation, withoutNull } from "../../operation.ts";
import { summarizeQuota } from "../../organizations/quotas/views.ts";
import { CurrentUser, currentUserView, PublicUser, publicUserView, UserProfile } from "./views.ts";

/** The hash of the password in a change of a user; undefined if it stays. @throws RegistryError `invalid_request` if it is too short or too long */
export async function hashNewPassword(
  { body: { password } }: { readonly body: { readonly password?: string } },
  { passwords }: Pick<OperationContext, "passwords">,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  checkPassword(password);
  return passwords.hash(password, { isSignedIn: true });
}

const currentUserCommon = { tag: "user", internal: true } as const;

const getLoggedInUser = operation({
  ...currentUserCommon,
  id: "getLoggedInUser",
  versionMembers: [
    "email",
    "invoice_email",
    "invoice_email_address",
    "tag_expiration_s",
    "given_name",
    "family_name",
    "company",
    "location",
  ],
  method: "GET",
  path: "/user/",
  summary: "The calling user.",
  access: signedInUser,
  success: 200,
  result: CurrentUser,
  handle: ({ subject }, context) => showCaller(subject.account, context),
});

const createNewUser = operation({
  ...currentUserCommon,
  id: "createNewUser",
  audit: ["user_create"],
  method: "POST",
  path: "/user/",
  summary: "Sign up.",
  feature: "userCreation",
  access: anyone,
  body: Type.Object({
    username: Type.String({ maxLength: 511 }),
    password: Password,
    email: Type.Optional(Email),
    invite_code: Type.Optional(
      Type.String({ maxLength: 255, description: "Of an invite by e-mail: confirms the address" }),
    ),
    next: Type.Optional(NextPage),
  }),
  success: 200,
  result: Type.Union([Type.Object({ awaiting_verification: Type.Literal(true) }), CurrentUser]),
  async prepare({ body }, { passwords, signUps, request, now }) {
    checkPassword(body.password);
    signUps.countAttempt(request.ip, now);
    return passwords.hash(body.password);
  },
  async handle({ body: { username, email, invite_code: inviteCode, next }, prepared: passwordHash }, context) {
    const account = await signUp(context, { username, email, passwordHash, inviteCode, next });
    if (account.verified === 0) return { awaiting_verification: true } as const;
    if (context.session !== undefined) context.sendSession(await replaceSession(context, account));
    return showCaller(account, context);
  },
});

const changeUserDetails = operation({
  ...currentUserCommon,
  id: "changeUserDetails",
  version: getLoggedInUser,
  audit: [
    "user_change_metadata",
    "account_change_password",
    "org_change_invoicing",
    "org_change_tag_expiration",
    "user_change_invoicing",
    "user_change_tag_expiration",
    "user_change_email",
  ],
  method: "PUT",
  path: "/user/",
  summary: "Change settings of the caller's account.",
  freshLogin: true,
  access: onSelf("user:admin"),
  body: Type.Object({
    password: Type.Optional(Password),
    email: Type.Optional(Email),
    invoice_email: Type.Optional(Type.Boolean()),
    invoice_email_address: Type.Optional(ClearableEmail),
    tag_expiration_s: Type.Optional(TagExpiration),
    ...UserProfile.properties,
  }),
  success: 200,
  result: CurrentUser,
  prepare: hashNewPassword,
  async handle({ subject, body, prepared: passwordHash }, context) {
    const { password: _, ...changes } = body;
    const changed = await changeUser(context, subject.account, { ...withoutNull(changes, ""), passwordHash });
    if (changed.session !== undefined) context.sendSession(changed.session);
    return showCaller(changed.account, context);
  },
});

const deleteCurrentUser = operation({
  ...currentUserCommon,
  id: "deleteCurrentUser",
  version: getLoggedInUser,
  audit: ["user_delete"],
  method: "DELETE",
  path: "/user/",
  summary: "Delete the caller's account with all that it has.",
  freshLogin: true,
  access: onSelf("user:admin"),
  success: 204,
  async handle({ subject }, context) {
    await deleteUser(context, subject.account);
    context.sendSession(undefined);
  },
});

const convertUserToOrganization = operation({
  ...currentUserCommon,
  id: "convertUserToOrganization",
  audit: ["account_convert"],
  method: "POST",
  path: "/user/convert",
  summary: "Make the caller's account an organization that another user administers.",
  freshLogin: true,
  access: onSelf("user:admin"),
  body: Type.Object({
    adminUser: Type.String({ maxLength: 255 }),
    adminPassword: Password,
    plan: Type.Optional(Type.String({ maxLength: 255, description: "Not looked at" })),
  }),
  success: 200,
  result: Type.Object({ success: Type.Literal(true) }),
  prepare: ({ subject, body }, context) => identifyNewOwner(context, subject.account, body),
  async handle({ subject, prepared: owner }, context) {
    await convertUser(context, subject.account, owner);
    context.sendSession(undefined);
    return { success: true } as const;
  },
});

async function showCaller(account: AccountRow, context: OperationContext): Promise<CurrentUser> {
  const { db, globalRole, principal } = context;
  const organizations = await listUserOrganizations(db, account.id);
  const quota = await summarizeQuota(context, account.id);
  const logins = await listExternalLogins(db, account.id);
  return currentUserView({ account, organizations, globalRole, held: heldScopes(principal), quota, logins });
}

/** Operations on the caller's own account. */
export const currentUserOperations = [
  getLoggedInUser,
  createNewUser,
  changeUserDetails,
  deleteCurrentUser,
  convertUserToOrganization,
];

const userCommon = { tag: "user", internal: true, success: 200 } as const;

const getUserInformation = operation({
  ...userCommon,
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
  ...userCommon,
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
  ...userCommon,
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
  ...userCommon,
  id: "requestRecoveryEmail",
  method: "POST",
  path: "/recovery",
  summary:
    "Send the user of an e-mail address a link for choosing a new password. The answer is the same whether or not there is such a user.",
  access: anyone,
  body: Type.Object({ email: Email, next: Type.Optional(NextPage) }),
  result: Type.Object({ status: Type.Literal("sent") }),
  async handle({ body }, context) {
    if (context.mailer === noMailer) throw noMail();
    const account = await findUserByEmail(context.db, body.email);
    if (account?.enabled === 1 && account.email !== null) {
      await sendEmailCode(context, account, { purpose: "recover", email: account.email, next: body.next });
    }
    return { status: "sent" } as const;
  },
});

/** Operations on users: public profiles, the first user, encrypted passwords and account recovery. */
export const userOperations = [getUserInformation, initialize, generateClientKey, requestRecovery];
