import type { GrantRequest } from "../../rules/oauth-grants.ts";
import { avatarOf } from "../../views/avatar.ts";
import { applicationAvatar } from "../../views/oauth-application.ts";
import { scopeView } from "../../views/scope.ts";
import { type Html, html } from "./html.ts";
import type { PageUser } from "./page-session.ts";
import type { Page } from "./send-page.ts";

/** The page that asks a user whether an application may have what it asks for. */
export function consentPage(asked: GrantRequest, user: PageUser): Page {
  const { application, organization, scopes, redirectUri } = asked;
  const fields = hiddenFields(asked, user);
  const listed = [...scopes]
    .map(scopeView)
    .map(
      ({ title, description, dangerous }) =>
        html`<li><strong>${title}</strong>${dangerous ? " (dangerous)" : ""}: ${description}</li>`,
    );
  return {
    title: `Let ${application.name} act for you?`,
    formTarget: redirectUri,
    body: html`<p>${application.name} of ${organization.username} asks to act for ${user.account.username}. It could:</p>
<ul>${listed}</ul>
<p>${application.description}</p>
<p>The browser is then sent to <code>${redirectUri}</code>.</p>
<form method="post" action="/oauth/authorizeapp">${fields}<button>Allow</button></form>
<form method="post" action="/oauth/denyapp">${fields}<button>Deny</button></form>`,
  };
}

/** What the page says, for a program that shows it itself. */
export function consentDocument(asked: GrantRequest, user: PageUser) {
  const { application, organization, scopes, redirectUri, responseType, state } = asked;
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
  };
}

function hiddenFields({ application, scopes, redirectUri, responseType, state }: GrantRequest, user: PageUser): Html[] {
  const fields = {
    client_id: application.client_id,
    redirect_uri: redirectUri,
    scope: [...scopes].join(" "),
    response_type: responseType,
    ...(state !== undefined && { state }),
    _csrf_token: user.csrfToken,
  };
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}
