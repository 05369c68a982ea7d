import { anyone, onSelf } from "@plimsoll/registry/access/on-account";
import { heldScopes } from "@plimsoll/registry/access/principal";
import type { AccountRow } from "@plimsoll/registry/access/queries/accounts";
import { signedInUser } from "@plimsoll/registry/access/signed-in-user";
import { listExternalLogins } from "@plimsoll/registry/accounts/external-logins/queries";
import { beginSession } from "@plimsoll/registry/identity/sign-in/sign-in";
import { convertUser, identifyNewOwner } from "@plimsoll/registry/identity/users/convert-user";
import { deleteUser, signUp } from "@plimsoll/registry/identity/users/users";
import { listUserOrganizations } from "@plimsoll/registry/organizations/queries";
import { checkPassword } from "@plimsoll/registry/values/names";
import { Type } from "typebox";
import { ClearableEmail, Email, NextPage, Password, TagExpiration } from "../../../accounts/schemas.ts";
import type { OperationContext } from "../../../context.ts";
import { operation } from "../../../operation.ts";
import { summarizeQuota } from "../../../organizations/quotas/quota-summary.ts";
import { changeUser } from "../change-user.ts";
import { CurrentUser, currentUserView, UserProfile } from "../views/user.ts";

const shared = { tag: "user", internal: true } as const;

const getLoggedInUser = operation({
  ...shared,
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
  ...shared,
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
    if (context.session !== undefined) await beginSession(context, account);
    return showCaller(account, context);
  },
});

const changeUserDetails = operation({
  ...shared,
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
  async prepare({ body: { password } }, { passwords }) {
    if (password === undefined) return undefined;
    checkPassword(password);
    return passwords.hash(password, { isSignedIn: true });
  },
  async handle({ subject, body, prepared: passwordHash }, context) {
    const { password: _, ...changes } = body;
    return showCaller(await changeUser(context, subject.account, { ...changes, passwordHash }), context);
  },
});

const deleteCurrentUser = operation({
  ...shared,
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
  ...shared,
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
