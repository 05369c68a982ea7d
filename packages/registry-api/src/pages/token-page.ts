import { html } from "./html.ts";
import type { Page } from "./page.ts";
import type { PageUser } from "./page-session.ts";

/** Shows the token in the fragment, which is never sent to a server, and removes it from the browser's history. */
const script = `const given = new URLSearchParams(location.hash.slice(1)).get("access_token");
if (given) document.getElementById("token").textContent = given;
history.replaceState(null, "", location.pathname);`;

/** The page that shows a token, once, to the user who granted it. */
export function tokenPage(scope: string, user: PageUser): Page {
  return {
    title: "Access token",
    user,
    script,
    body: html`<p>A token for <code>${scope}</code>. It is shown this once: keep it now.</p>
<p><code id="token">There is no token in the address of this page.</code></p>`,
  };
}
