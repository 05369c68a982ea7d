import { createHash } from "node:crypto";
import type { RegistryError } from "@plimsoll/registry/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorTypes } from "../http/api-error.ts";
import { html, type Page } from "./html.ts";
import type { PageUser } from "./page-session.ts";
import { signOutForm } from "./sign-in-page.ts";

/** Sends a page with headers that forbid frames, caching and foreign content. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const { title, heading = title, body, script, user } = page;
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${{ html: pageStyle }}</style></head>
<body><main><h1>${heading}</h1>
${body}
</main>
${user === undefined ? "" : html`<footer>${signOutForm(user)}</footer>`}
${script === undefined ? "" : { html: `<script>${script}</script>` }}
</body></html>
`;
  return secured(reply, contentPolicy(page))
    .code(status)
    .header("content-type", "text/html; charset=utf-8")
    .send(document.html);
}

/** Redirects a browser. */
export function sendRedirect(reply: FastifyReply, location: string): FastifyReply {
  return secured(reply, "default-src 'none'").redirect(location, 302);
}

/** Whether the client accepts HTML: a browser, not a program. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes("text/html") ?? false;
}

/** Sends an error: as a page to a browser, as JSON to a program. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, user }: { readonly error: RegistryError; readonly user?: PageUser | undefined },
): FastifyReply {
  const { status } = errorTypes[error.code];
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  if (wantsPage(request)) {
    return sendPage(reply, status, { title: "This cannot be done", user, body: html`<p>${error.message}</p>` });
  }
  return secured(reply, "default-src 'none'").code(status).send({ error: error.message });
}

function secured(reply: FastifyReply, policy: string): FastifyReply {
  return reply.headers({
    "cache-control": "no-store",
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
}

function contentPolicy({ script, formTarget }: Page): string {
  const directives = [
    "default-src 'none'",
    `style-src ${sourceHash(pageStyle)}`,
    ...(script === undefined ? [] : [`script-src ${sourceHash(script)}`]),
    `form-action 'self'${formTarget === undefined ? "" : ` ${new URL(formTarget).origin}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return directives.join("; ");
}

function sourceHash(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

/** The style sheet of all pages: one narrow column with the colours of the console, light or dark as the reader's system. */
const pageStyle = `:root{color-scheme:light dark;--ground:light-dark(#fff,#15181b);--line:light-dark(#d5d9dd,#363c42);--text:light-dark(#1c2024,#e6e8ea);--quiet:light-dark(#59626b,#a3abb3);--accent:light-dark(#1a6079,#6fc0dc);--on-accent:light-dark(#fff,#0c1a20);--critical:light-dark(#b3261e,#ff8a80)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:480px;padding:48px 16px;background:var(--ground);color:var(--text);font:14px/20px system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:0 0 16px;font-size:20px;line-height:28px}
h2{margin:24px 0 8px;font-size:16px;line-height:24px}
a,summary{color:var(--accent)}
label{display:block;margin-bottom:4px}
input,button{font:inherit;color:inherit;padding:4px 8px;border:1px solid var(--line);border-radius:6px;background:var(--ground)}
input:not([type=hidden]){width:100%}
button{cursor:pointer}
form>p>button:only-child,.choice form:first-child button{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
code{font:13px ui-monospace,monospace}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert],[role=status]{padding:8px 12px;border:1px solid var(--line);border-radius:6px}
[role=alert]{border-color:var(--critical)}
.choice{display:flex;gap:8px;margin:16px 0}
footer{margin-top:48px;padding-top:8px;border-top:1px solid var(--line);color:var(--quiet)}`;
