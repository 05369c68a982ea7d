import { withoutUndefined } from "@plimsoll/core/internal";
import type { GrantRequest } from "@plimsoll/registry/identity/oauth/grant-request";
import { avatarOf } from "@plimsoll/registry/values/avatar";
import { applicationAvatar, scopeView } from "../identity/oauth/views.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./page.ts";
import type { PageUser } from "./page-session.ts";

/** The page that asks a user to grant the request of an application. Admins can ask another user instead. */
export function consentPage(
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
export function consentDocument(grantRequest: GrantRequest, user: PageUser) {
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
