import type { FastifyInstance, FastifyRequest } from "fastify";
import { exchangeCode } from "../../rules/exchange-code.ts";
import type { ServedRegistry } from "../answer-operation.ts";
import { fieldsOf } from "./page-session.ts";

/**
 * Serves `POST /oauth/access_token`, where applications exchange codes for tokens.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3
 */
export function registerAccessToken(app: FastifyInstance, { store, secrets, ports }: ServedRegistry): void {
  app.post("/oauth/access_token", async (request, reply) => {
    const fields = { ...fieldsOf(request.query), ...fieldsOf(request.body), ...basicClient(request) };
    const now = ports.clock.now();
    const result = await store.transaction((db) => exchangeCode({ db, secrets, now, ip: request.ip }, fields));
    reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
    if (result.kind === "error") return reply.code(400).send({ error: result.error });
    const { token: access_token, expiresIn: expires_in } = result;
    return reply.send({ access_token, token_type: "Bearer", expires_in, refresh_token: null });
  });
}

/** RFC 6749 §2.3.1: both parts are written as in forms. */
function basicClient({ headers }: FastifyRequest): { readonly client_id?: string; readonly client_secret?: string } {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return {};
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 2);
  const plain = (text: string) => new URLSearchParams(`x=${text}`).get("x") ?? "";
  return { client_id: plain(id), client_secret: plain(secret) };
}
