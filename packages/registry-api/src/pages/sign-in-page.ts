import type { IdentityProvider } from "../ports/identities.ts";
import type { ProviderSignOut } from "../sign-in/provider-sign-out.ts";
import { type Html, html } from "./html.ts";
import { providerLinks } from "./outside-page.ts";
import type { Page } from "./page.ts";
import type { PageUser } from "./page-session.ts";
import { formTargetOf } from "./return-path.ts";

/** Where those are led who cannot sign in. */
export interface SignInOffer {
  /** With a query. */
  readonly address: string;
  readonly text: string;
}

/** What a sign-in page is made of. */
export interface SignInForm {
  /** What the registry calls itself. */
  readonly registryTitle: string;
  readonly csrfToken: string;
  /** Services that people can sign in with besides. */
  readonly providers: readonly IdentityProvider[];
  /** What those may do who cannot sign in. */
  readonly offers: readonly SignInOffer[];
  /** The page to show afterwards. */
  readonly returnPath?: string | undefined;
  /** The user name that was typed before. */
  readonly username?: string | undefined;
  /** The reason for which that was refused. */
  readonly problem?: string | undefined;
  /** What has happened otherwise. */
  readonly notice?: string | undefined;
  /** Where the user who has signed out here can sign out of an identity provider too. */
  readonly elsewhere?: ProviderSignOut | undefined;
}

/** The page where people sign in. What was wrong is said where the cursor is, and in the title. */
export function signInPage(form: SignInForm): Page {
  const { registryTitle, csrfToken, providers, offers, returnPath, username = "", problem, notice, elsewhere } = form;
  const refused = problem === undefined ? "" : html`<p id="problem" role="alert">${problem}</p>`;
  const told = notice === undefined ? "" : html`<p role="status">${notice}</p>`;
  const further =
    elsewhere === undefined ? "" : html`<p><a href="${elsewhere.address}">Sign out of ${elsewhere.title} too</a></p>\n`;
  const why = problem === undefined ? "" : html` aria-invalid="true" aria-describedby="problem"`;
  const next = returnPath === undefined ? "" : html`<input type="hidden" name="next" value="${returnPath}">`;
  const onTo = returnPath === undefined ? "" : `&${new URLSearchParams({ next: returnPath })}`;
  const heading = `Sign in to ${registryTitle}`;
  const [atName, atPassword] = username === "" ? [" autofocus", ""] : ["", " autofocus"];
  return {
    title: `${problem === undefined ? "" : "Refused: "}${heading}`,
    heading,
    formTarget: formTargetOf(returnPath),
    body: html`${told}${further}${refused}<form method="post" action="/signin">
<input type="hidden" name="_csrf_token" value="${csrfToken}">${next}
<p><label for="username">User name or e-mail address</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${atName}${why}></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${atPassword}${why}></p>
<p><button>Sign in</button></p>
</form>
${providerLinks(providers, returnPath)}${offers.map(({ address, text }) => html`<p><a href="${address}${onTo}">${text}</a></p>\n`)}`,
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
