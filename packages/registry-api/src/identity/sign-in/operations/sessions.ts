import { anyone, onSelf } from "@plimsoll/registry/access/on-account";
import { RegistryError } from "@plimsoll/registry/errors";
import { checkOwnPassword } from "@plimsoll/registry/identity/sign-in/identify-login";
import { findProviderSignOut } from "@plimsoll/registry/identity/sign-in/provider-sign-out";
import { identifySignIn, renewSession, signIn, signOut } from "@plimsoll/registry/identity/sign-in/sign-in";
import { Type } from "typebox";
import { operation } from "../../../operation.ts";
import { pageAddresses } from "../../../page-addresses.ts";

const sessionCommon = { tag: "user", internal: true, success: 200, whileReadOnly: true } as const;

const Success = Type.Object({ success: Type.Boolean() });

const Password = Type.String({ maxLength: 1024 });

const signinUser = operation({
  ...sessionCommon,
  id: "signinUser",
  audit: ["login_success"],
  method: "POST",
  path: "/signin",
  summary: "Begin a session.",
  access: anyone,
  body: Type.Object({
    username: Type.String({ maxLength: 255 }),
    password: Password,
    invite_code: Type.Optional(
      Type.String({ maxLength: 255, description: "Of an invite by e-mail: confirms the address" }),
    ),
  }),
  result: Success,
  withoutChanges: true,
  prepare: ({ body: { invite_code: inviteCode, ...shown } }, context) =>
    identifySignIn(context, { ...shown, inviteCode }),
  async handle({ prepared: account }, context) {
    context.sendSession(await signIn(context, account));
    return { success: true };
  },
});

const verifyUser = operation({
  ...sessionCommon,
  id: "verifyUser",
  method: "POST",
  path: "/signin/verify",
  summary: "Confirm the password, for operations that need a fresh sign-in.",
  access: onSelf("user:admin"),
  body: Type.Object({ password: Password }),
  result: Success,
  withoutChanges: true,
  async prepare({ subject, body }, context) {
    if (await checkOwnPassword(context, subject.account, body.password)) return;
    throw new RegistryError("insufficient_scope", "Invalid password", { details: { invalidCredentials: true } });
  },
  async handle({ subject }, context) {
    const renewed = await renewSession(context, subject.account);
    if (renewed !== undefined) context.sendSession(renewed);
    return { success: true };
  },
});

const logout = operation({
  ...sessionCommon,
  id: "logout",
  audit: ["logout_success"],
  method: "POST",
  path: "/signout",
  summary: "End every session of the caller, and the registry tokens made for them.",
  access: anyone,
  result: Type.Object({
    success: Type.Boolean(),
    end_session_url: Type.Optional(
      Type.String({
        description: "Where the browser also signs out of the identity provider that the session began with",
      }),
    ),
  }),
  withoutChanges: true,
  prepare: (_, context) =>
    findProviderSignOut(context, context.session, pageAddresses(context.request.origin)({ kind: "sign-in" })),
  async handle({ prepared: elsewhere }, context) {
    context.sendSession(undefined); // whatever comes of the rest
    await signOut(context, context.session);
    return { success: true, end_session_url: elsewhere?.address };
  },
});

/** Operations for signing in and out. */
export const sessionOperations = [signinUser, verifyUser, logout];
