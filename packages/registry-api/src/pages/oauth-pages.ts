import { withoutUndefined } from "@plimsoll/core/internal";
import { invalidRequest } from "@plimsoll/registry/errors";
import { type GrantRequest, readGrantRequest } from "@plimsoll/registry/identity/oauth/grant-request";
import { grantCode, grantToken, hasGranted } from "@plimsoll/registry/identity/oauth/grants";
import { addToRedirect } from "@plimsoll/registry/identity/oauth/redirect-uri";
import { accessTokenSeconds } from "@plimsoll/registry/identity/oauth/tokens";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import type { FastifyReply } from "fastify";
import { checkWritable } from "../http/management-state.ts";
import { type RepliedRequest, replyOperation } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { applicationAvatar, scopeView } from "../identity/oauth/views.ts";
import { type Html, html, type Page } from "./html.ts";
import { checkRedirect, errorRedirect, redirectRule, refuseGrant } from "./oauth-redirects.ts";
import { type Fields, fields, formFields } from "./page-fields.ts";
import { onPageUser, type PageUser } from "./page-session.ts";
import { sendPage, sendRedirect } from "./send-page.ts";

/** The fields of a request for a grant, in a query or in a form. */
export const grantFields = [
  "client_id",
  "redirect_uri",
  "scope",
  "response_type",
  "state",
  "code_challenge",
  "code_challenge_method",
] as const;

const GrantForm = formFields("assignment_uuid", ...grantFields);

/** Shows the token in the fragment, which is never sent to a server, and removes it from the browser's history. */
const script = `const given = new URLSearchParams(location.hash.slice(1)).get("access_token");
if (given) document.getElementById("token").textContent = given;
history.replaceState(null, "", location.pathname);`;

/** The page that shows a token, once, to the user who granted it. */
function tokenPage(scope: string, user: PageUser): Page {
  return {
    title: "Access token",
    user,
    script,
    body: html`<p>A token for <code>${scope}</code>. It is shown this once: keep it now.</p>
<p><code id="token">There is no token in the address of this page.</code></p>`,
  };
}

/**
 * The operations of the implicit grant and of the code grant, by which users let an application act for them.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4
 */
export const oauthPageOperations = [
  replyOperation({
    id: "showAuthorizePage",
    method: "GET",
    path: "/oauth/authorize",
    summary: "Asks a user to let an application act for them.",
    access: onPageUser,
    success: 200,
    withoutHead: true,
    query: fields("assignment_uuid", "format", ...grantFields),
    async handle({ subject: user, query }, { registry, request, reply }) {
      const { store, settings, clock } = registry;

      checkAssignable(query, settings);
      const grantRequest = await readGrantRequest(store.db, user.account, query);
      const refused = refuseGrant(grantRequest, redirectRule(request, settings));
      if (refused !== undefined) return sendRedirect(reply, refused);
      if (await hasGranted(store.db, user.account, { ...grantRequest, now: clock.now() })) {
        return sendRedirect(reply, await grant(registry, user, { grantRequest, ip: request.ip }));
      }
      if (query.format === "json") return sendJson(reply, consentDocument(grantRequest, user));
      const { oauthAssignments: offersAssignment } = settings.features;
      return sendPage(reply, 200, consentPage(grantRequest, user, { offersAssignment }));
    },
  }),
  replyOperation({
    id: "authorizeApplication",
    method: "POST",
    path: "/oauth/authorizeapp",
    summary: "Let an application act for the user.",
    access: onPageUser,
    success: 302,
    body: GrantForm,
    async handle({ subject: user, body: form }, { registry, request, reply }) {
      const { settings } = registry;

      const grantRequest = await readForm(registry, request, { user, form });
      return sendRedirect(
        reply,
        refuseGrant(grantRequest, redirectRule(request, settings)) ??
          (await grant(registry, user, { grantRequest, ip: request.ip })),
      );
    },
  }),
  replyOperation({
    id: "denyApplication",
    method: "POST",
    path: "/oauth/denyapp",
    summary: "Do not let it.",
    access: onPageUser,
    success: 302,
    body: GrantForm,
    async handle({ subject: user, body: form }, { registry, request, reply }) {
      const grantRequest = await readForm(registry, request, { user, form });
      return sendRedirect(reply, errorRedirect(grantRequest, "access_denied"));
    },
  }),
  replyOperation({
    id: "showGrantedToken",
    method: "GET",
    path: "/oauth/localapp",
    summary: "Shows the token that the user has made for themselves.",
    access: onPageUser,
    success: 200,
    withoutHead: true,
    query: fields("scope"),
    async handle({ subject: user, query: { scope } }, { reply }) {
      if (scope !== undefined) return sendPage(reply, 200, tokenPage(scope, user));
      return sendPage(reply, 200, { title: "Authorization canceled", user, body: html`<p>No token was made.</p>` });
    },
  }),
];

/** Reads the request of a form. The browser is redirected to its address only if the address is allowed. */
async function readForm(
  registry: ServedRegistry,
  request: RepliedRequest,
  { user, form }: { readonly user: PageUser; readonly form: Fields },
): Promise<GrantRequest> {
  checkAssignable(form, registry.settings);
  const grantRequest = await readGrantRequest(registry.store.db, user.account, form);
  checkRedirect(grantRequest, redirectRule(request, registry.settings));
  return grantRequest;
}

function checkAssignable({ assignment_uuid }: Fields, { features }: RegistrySettings): void {
  if (assignment_uuid && !features.oauthAssignments)
    throw invalidRequest("Tokens cannot be assigned to other users in this registry");
}

/**
 * Grants the request of an application. The state is in the query for both kinds of grant. For a token it is also in the fragment, as
 * RFC 6749 requires.
 * @returns the address to redirect the browser to: with a token in the fragment, or a code in the query
 */
async function grant(
  registry: ServedRegistry,
  user: PageUser,
  { grantRequest, ip }: { readonly grantRequest: GrantRequest; readonly ip: string },
): Promise<string> {
  const { redirectUri, state, scopes } = grantRequest;
  const now = registry.clock.now();
  checkWritable(registry.settings);
  return registry.store.transaction(async (db) => {
    if (grantRequest.responseType === "code") {
      return addToRedirect(redirectUri, { code: await grantCode(db, user.account, { ...grantRequest, now }), state });
    }
    const { token: access_token } = await grantToken(db, user.account, { ...grantRequest, now, ip });
    const token = { access_token, token_type: "Bearer", expires_in: String(accessTokenSeconds), state };
    return addToRedirect(redirectUri, { scope: [...scopes].join(" "), state }, token);
  });
}

function sendJson(reply: FastifyReply, document: unknown): FastifyReply {
  return reply.header("cache-control", "no-store").send(document);
}

/** The page that asks a user to grant the request of an application. Admins can ask another user instead. */
function consentPage(
  grantRequest: GrantRequest,
  user: PageUser,
  { offersAssignment }: { offersAssignment: boolean },
): Page {
  const { application, organization, scopes, redirectUri, responseType, assignment } = grantRequest;
  const fields = hiddenFields(grantRequest, user);
  const canAssign = offersAssignment && responseType === "token" && assignment === undefined;
  const listed = [...scopes]
    .map(scopeView)
    .map(
      ({ title, description, dangerous }) =>
        html`<li><strong>${title}</strong>${dangerous ? " (dangerous)" : ""}: ${description}</li>`,
    );
  return {
    title: `Let ${application.name} act for you?`,
    user,
    formTarget: redirectUri,
    body: html`<p><strong>${application.name}</strong> of <strong>${organization.username}</strong> asks to act for ${user.account.username}. It could:</p>
<ul>${listed}</ul>
<p>${application.description}</p>
<p>The browser is then sent to <code>${redirectUri}</code>.</p>
<div class="choice"><form method="post" action="/oauth/authorizeapp">${fields}<button>Allow</button></form>
<form method="post" action="/oauth/denyapp">${fields}<button>Deny</button></form></div>
${canAssign ? assignForm(fields) : ""}`,
  };
}

function assignForm(fields: readonly Html[]): Html {
  return html`<details><summary>Ask another user instead</summary>
<form method="post" action="/oauth/authorize/assignuser">${fields}
<p><label for="assigned">User name</label>
<input id="assigned" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" required></p>
<p><button>Ask</button></p></form></details>`;
}

/** The content of the page as JSON, for a program that renders it itself. */
function consentDocument(grantRequest: GrantRequest, user: PageUser) {
  const { application, organization, scopes, redirectUri, responseType, state, assignment } = grantRequest;
  const { name, description, application_uri: url, client_id } = application;
  const views = [...scopes].map(scopeView);
  return {
    scopes: views,
    has_dangerous_scopes: views.some(({ dangerous }) => dangerous),
    application: {
      name,
      description,
      url,
      avatar: applicationAvatar(application, organization),
      organization: {
        name: organization.username,
        avatar: avatarOf("org", organization.username, organization.email),
      },
    },
    response_type: responseType,
    client_id,
    redirect_uri: redirectUri,
    scope: [...scopes].join(" "),
    csrf_token_val: user.csrfToken,
    state: state ?? null,
    assignment_uuid: assignment?.id ?? null,
  };
}

function hiddenFields(grantRequest: GrantRequest, { csrfToken }: PageUser): Html[] {
  const { application, scopes, redirectUri, responseType, state, challenge, assignment } = grantRequest;
  const fields = {
    client_id: application.client_id,
    redirect_uri: redirectUri,
    scope: [...scopes].join(" "),
    response_type: responseType,
    state,
    code_challenge: challenge?.value,
    code_challenge_method: challenge?.method,
    assignment_uuid: assignment?.id,
    _csrf_token: csrfToken,
  };
  return Object.entries(withoutUndefined(fields)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}
