import { createHash } from "node:crypto";
import type { RegistryError } from "@plimsoll/registry/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorTypes } from "../http/api-error.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";
import type { PageUser } from "./page-session.ts";
import { pageStyle } from "./page-style.ts";
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
