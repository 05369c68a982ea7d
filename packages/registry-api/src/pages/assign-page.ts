import { assignToken } from "@plimsoll/registry/identity/oauth/assign-token";
import { readGrantRequest } from "@plimsoll/registry/identity/oauth/grant-request";
import { replyOperation } from "../http/reply-operation.ts";
import { html } from "./html.ts";
import { checkRedirect, redirectSettings } from "./oauth-redirects.ts";
import { fieldsOf, onPageUser } from "./page-session.ts";
import { sendPage } from "./send-page.ts";

/** The operation of the form by which an admin of an application's organization asks another user to grant it a token. */
export const assignPageOperations = [
  replyOperation({
    id: "askToGrantToken",
    method: "POST",
    path: "/oauth/authorize/assignuser",
    summary: "Ask another user to grant an application a token.",
    access: onPageUser,
    success: 200,
    feature: "oauthAssignments",
    audit: ["oauth_token_assigned"],
    async handle({ subject: user }, { registry, request, reply }) {
      const { store, settings, clock } = registry;

      const { assignment_uuid: _, ...given } = { ...fieldsOf(request.query), ...fieldsOf(request.body) };
      const { username = "", ...fields } = { response_type: "token", ...given };
      const grantRequest = await readGrantRequest(store.db, user.account, fields);
      checkRedirect(grantRequest, redirectSettings(request, settings));
      const place = { ip: request.ip, now: clock.now() };
      await store.transaction((db) => assignToken(db, { grantRequest, admin: user.account, username, ...place }));
      const body = html`<p>${username} is asked to let ${grantRequest.application.name} act for them.</p>`;
      return sendPage(reply, 200, { title: "Asked", user, body });
    },
  }),
];
