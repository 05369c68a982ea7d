import type { ProviderSignOut } from "@plimsoll/registry/identity/sign-in/provider-sign-out";
import type { IdentityProvider } from "@plimsoll/registry/ports/identities";
import { type Html, html, type Page } from "./html.ts";
import { providerLinks } from "./outside-page.ts";
import type { PageUser } from "./page-session.ts";
import { formTargetOf } from "./return-path.ts";

/** A link for users who cannot sign in. */
export interface SignInOffer {
  /** With a query. */
  readonly address: string;
  readonly text: string;
}

/** The values of {@link signInPage}. */
export interface SignInForm {
  /** The title of the registry. */
  readonly registryTitle: string;
  readonly csrfToken: string;
  /** Identity providers that offer another way to sign in. */
  readonly providers: readonly IdentityProvider[];
  /** Links for users who cannot sign in. */
  readonly offers: readonly SignInOffer[];
  /** The page to show afterwards. */
  readonly returnPath?: string | undefined;
  /** The user name that was typed before. */
  readonly username?: string | undefined;
  /** Why the sign-in was refused. */
  readonly problem?: string | undefined;
  /** A message that is not an error. */
  readonly notice?: string | undefined;
  /** The page on which a user who has signed out here can sign out of an identity provider too. */
  readonly elsewhere?: ProviderSignOut | undefined;
}

/** The sign-in page. Screen readers announce an error with the focused field, and in the title. */
export function signInPage(form: SignInForm): Page {
  const { registryTitle, csrfToken, providers, offers, returnPath, username = "", problem, notice, elsewhere } = form;
  const refused = problem === undefined ? "" : html`<p id="problem" role="alert">${problem}</p>`;
  const status = notice === undefined ? "" : html`<p role="status">${notice}</p>`;
  const providerSignOut =
    elsewhere === undefined ? "" : html`<p><a href="${elsewhere.address}">Sign out of ${elsewhere.title} too</a></p>\n`;
  const invalid = problem === undefined ? "" : html` aria-invalid="true" aria-describedby="problem"`;
  const next = returnPath === undefined ? "" : html`<input type="hidden" name="next" value="${returnPath}">`;
  const nextQuery = returnPath === undefined ? "" : `&${new URLSearchParams({ next: returnPath })}`;
  const heading = `Sign in to ${registryTitle}`;
  const [focusName, focusPassword] = username === "" ? [" autofocus", ""] : ["", " autofocus"];
  return {
    title: `${problem === undefined ? "" : "Refused: "}${heading}`,
    heading,
    formTarget: formTargetOf(returnPath),
    body: html`${status}${providerSignOut}${refused}<form method="post" action="/signin">
<input type="hidden" name="_csrf_token" value="${csrfToken}">${next}
<p><label for="username">User name or e-mail address</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${focusName}${invalid}></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${focusPassword}${invalid}></p>
<p><button>Sign in</button></p>
</form>
${providerLinks(providers, returnPath)}${offers.map(({ address, text }) => html`<p><a href="${address}${nextQuery}">${text}</a></p>\n`)}`,
  };
}

/** The form that shows the signed-in user and signs them out. */
export function signOutForm({ account, csrfToken, path }: PageUser): Html {
  const next = path === undefined ? "" : html`<input type="hidden" name="next" value="${path}">`;
  return html`<form method="post" action="/signout">
<input type="hidden" name="_csrf_token" value="${csrfToken}">${next}
Signed in as <strong>${account.username}</strong> <button>Sign out</button>
</form>`;
}
