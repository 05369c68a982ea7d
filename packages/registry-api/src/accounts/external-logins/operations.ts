import { anyone, onSelf } from "@plimsoll/registry/access/on-account";
import { checkFreshLogin } from "@plimsoll/registry/access/session";
import { detachLogin } from "@plimsoll/registry/accounts/external-logins/detach-login";
import { beginVisit, getProvider, type VisitPurpose } from "@plimsoll/registry/accounts/external-logins/outside-visit";
import { RegistryError } from "@plimsoll/registry/errors";
import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { pageAddresses } from "../../page-addresses.ts";

const shared = {
  tag: "user",
  internal: true,
  about: { service_id: "The identity provider" },
  success: 200,
} as const;

const begin = operation({
  ...shared,
  id: "retrieveExternalLoginAuthorizationUrl",
  method: "POST",
  path: "/externallogin/{service_id}",
  summary:
    "The address at an identity provider where the caller's browser signs in, or attaches a login to the account.",
  access: anyone,
  whileReadOnly: true,
  body: Type.Object({ kind: Type.Enum(["login", "attach"]) }),
  result: Type.Object({ auth_url: Type.String() }),
  async prepare({ params, body }, context) {
    const { secrets, now, principal, session, request, settings } = context;
    const provider = getProvider(context, params.service_id);
    if (session === undefined) throw noBrowser();
    if (body.kind === "attach" && principal.kind !== "user") throw new RegistryError("invalid_token", "Sign in first");
    if (body.kind === "attach") checkFreshLogin(principal, now, settings.freshLoginSeconds);
    const purpose: VisitPurpose =
      body.kind === "attach" && principal.kind === "user"
        ? { kind: "attach", accountId: principal.account.id }
        : { kind: "login" };
    const visiting = { secrets, now, csrfToken: session.csrfToken };
    const redirectUri = pageAddresses(request.origin)({ kind: "callback", service: provider.service });
    return beginVisit(visiting, provider, { redirectUri, purpose });
  },
  handle: async ({ prepared: auth_url }) => ({ auth_url }),
});

/** The refusal of callers without a session: only the browser that began a visit can finish it. */
function noBrowser(): RegistryError {
  return new RegistryError(
    "insufficient_scope",
    "Identity providers are for browsers: get a session by /csrf_token first",
  );
}

const detach = operation({
  ...shared,
  id: "detachExternalLogin",
  method: "POST",
  path: "/detachexternal/{service_id}",
  summary: "Detach a login of an identity provider from the caller's account.",
  freshLogin: true,
  access: onSelf("user:admin"),
  result: Type.Object({ success: Type.Boolean() }),
  async handle({ subject: { account }, params }, context) {
    await detachLogin(context, account, params.service_id);
    return { success: true };
  },
});

/** Operations on the logins of users at identity providers. */
export const externalLoginOperations = [begin, detach];
