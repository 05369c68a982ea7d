import { logOutByProvider } from "@plimsoll/registry/accounts/external-logins/departures";
import { getProvider } from "@plimsoll/registry/accounts/external-logins/outside-visit";
import { byProof } from "../access/public-access.ts";
import { replyOperation } from "../http/reply-operation.ts";
import { fields } from "./page-fields.ts";

/**
 * The operation that identity providers call when one of their sessions has ended.
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#BCRequest
 */
export const providerLogoutOperations = [
  replyOperation({
    id: "logOutByProvider",
    audit: ["logout_success"],
    method: "POST",
    path: "/oauth2/{service}/backchannel-logout",
    summary: "Ends the sessions that began with a session of an identity provider, which has ended.",
    access: byProof("a logout token of the provider"),
    success: 200,
    whileReadOnly: true,
    needsIdentityProviders: true,
    body: fields("logout_token"),
    async handle({ params: { service = "" }, body: { logout_token = "" } }, { registry, request, reply }) {
      const { store, clock, settings } = registry;
      reply.header("cache-control", "no-store");
      const provider = getProvider(registry, service);
      const now = clock.now();
      const logout = await provider.readLogout(logout_token, now);
      const place = { ip: request.ip, now };
      await store.transaction((db) => logOutByProvider({ db, settings, ...place }, provider, logout));
      return reply.send();
    },
  }),
];
