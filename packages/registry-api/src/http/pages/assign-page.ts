import type { FastifyInstance } from "fastify";
import { assignToken } from "../../oauth/assign-token.ts";
import { readGrantRequest } from "../../oauth/grant-request.ts";
import type { ServedRegistry } from "../answer-operation.ts";
import { html } from "./html.ts";
import { checkRedirect, redirectSettings } from "./oauth-redirects.ts";
import { fieldsOf, findPageUser } from "./page-session.ts";
import { sendPage } from "./send-page.ts";

/** Serves the form by which an admin of an application's organization asks another user to grant it a token. */
export function registerAssignPage(app: FastifyInstance, registry: ServedRegistry): void {
  const { store, settings, ports } = registry;
  app.post("/oauth/authorize/assignuser", async (request, reply) => {
    const user = await findPageUser(registry, request);
    const { assignment_uuid: _, ...given } = { ...fieldsOf(request.query), ...fieldsOf(request.body) };
    const { username = "", ...fields } = { response_type: "token", ...given };
    const asked = await readGrantRequest(store.db, user.account, fields);
    checkRedirect(asked, redirectSettings(request, settings));
    const place = { ip: request.ip, now: ports.clock.now() };
    await store.transaction((db) => assignToken(db, { asked, admin: user.account, username, ...place }));
    const body = html`<p>${username} is asked to let ${asked.application.name} act for them.</p>`;
    return sendPage(reply, 200, { title: "Asked", user, body });
  });
}
