import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RegistryError } from "../../errors.ts";
import { errorTypes } from "../api-error.ts";
import { type Html, html } from "./html.ts";

/** A page for people. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** The one script it has. */
  readonly script?: string;
  /** Where its forms lead besides the registry itself: an address they are redirected to. */
  readonly formTarget?: string;
}

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.4rem 1rem}code{word-break:break-all}";

/** Sends a page that nobody frames, keeps or adds anything to. */
export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  const { title, body, script } = page;
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${{ html: style }}</style></head>
<body><h1>${title}</h1>
${body}
${script === undefined ? "" : { html: `<script>${script}</script>` }}
</body></html>
`;
  return secured(reply, contentPolicy(page))
    .code(status)
    .header("content-type", "text/html; charset=utf-8")
    .send(document.html);
}

/** Sends somebody elsewhere. */
export function sendRedirect(reply: FastifyReply, location: string): FastifyReply {
  return secured(reply, "default-src 'none'").redirect(location, 302);
}

/** Answers a refusal: a page where a browser asks, JSON where a program does. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, error: RegistryError): FastifyReply {
  const { status } = errorTypes[error.code];
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  if (request.headers.accept?.includes("text/html")) {
    return sendPage(reply, status, { title: "This cannot be done", body: html`<p>${error.message}</p>` });
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
    `style-src ${sourceHash(style)}`,
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
