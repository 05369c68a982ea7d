import type { IdentityProvider } from "@plimsoll/registry/ports/identities";
import { type Html, html, type Page } from "./html.ts";
import type { PageUser } from "./page-session.ts";

/** The links to the identity providers on the sign-in page. */
export function providerLinks(providers: readonly IdentityProvider[], returnPath: string | undefined): Html {
  const next = returnPath === undefined ? "" : `?${new URLSearchParams({ next: returnPath })}`;
  return html`${providers.map(
    ({ service, title }) => html`<p><a href="/oauth2/${service}/login${next}">Sign in with ${title}</a></p>\n`,
  )}`;
}

/** The values of {@link namePage}. */
export interface NameForm {
  readonly provider: IdentityProvider;
  readonly csrfToken: string;
  /** The provider's user, sealed. */
  readonly sealed: string;
  /** The refused name. */
  readonly username: string;
  /** Why the name is refused. */
  readonly problem: string;
}

/** The page on which a user of a provider chooses the name of their new account. */
export function namePage({ provider: { service, title }, csrfToken, sealed, username, problem }: NameForm): Page {
  return {
    title: "Choose a user name",
    body: html`<p>You have signed in with ${title}, and have no account here yet.</p>
<p id="problem" role="alert">User name ${username === "" ? "of the provider" : username}: ${problem}</p>
<form method="post" action="/oauth2/${service}/name">
<input type="hidden" name="_csrf_token" value="${csrfToken}"><input type="hidden" name="user" value="${sealed}">
<p><label for="username">User name</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus aria-invalid="true" aria-describedby="problem"></p>
<p><button>Create the account</button></p>
</form>
<p>If you have an account already, <a href="/signin">sign in</a> with its password, and attach ${title} to it on the page that follows.</p>`,
  };
}

/** The page with the link to a provider whose login a signed-in user attaches. A form cannot redirect to another site. */
export function attachPage({
  provider: { title },
  address,
  user,
}: {
  readonly provider: IdentityProvider;
  readonly address: string;
  readonly user: PageUser;
}): Page {
  return {
    title: `Attach ${title}`,
    user,
    body: html`<p>Sign in there; from then on that login leads to the account ${user.account.username}.</p>
<p><a href="${address}">Go on to ${title}</a></p>`,
  };
}

/** The identity providers as a signed-in user sees them, each with a button that attaches or detaches its login. */
export function loginsList(
  providers: readonly IdentityProvider[],
  attached: ReadonlySet<string>,
  { csrfToken }: PageUser,
): Html {
  const items = providers.map(({ service, title }) => {
    const action = attached.has(service) ? "detach" : "attach";
    const button = attached.has(service) ? "Detach" : "Attach";
    return html`<li><form method="post" action="/oauth2/${service}/${action}"><input type="hidden" name="_csrf_token" value="${csrfToken}">
${title} <button>${button}</button></form></li>`;
  });
  return items.length === 0 ? html`` : html`<h2>Logins elsewhere</h2>\n<ul>${items}</ul>`;
}
