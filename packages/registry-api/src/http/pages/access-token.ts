import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RegistryError } from "../../errors.ts";
import { exchangeCode } from "../../oauth/exchange-code.ts";
import type { ServedRegistry } from "../answer-operation.ts";
import { errorTypes } from "../api-error.ts";
import { thrownError } from "../thrown-error.ts";
import { fieldsOf } from "./page-session.ts";

/**
 * Serves `POST /oauth/access_token`, where applications exchange codes for tokens.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3
 */
export function registerAccessToken(app: FastifyInstance, { store, secrets, ports }: ServedRegistry): void {
  const errorHandler = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(thrownError(thrown, request), reply);
  app.post("/oauth/access_token", { errorHandler }, async (request, reply) => {
    const client = basicClient(request);
    const fields = { ...fieldsOf(request.query), ...fieldsOf(request.body), ...client };
    const now = ports.clock.now();
    const result = await store.transaction((db) => exchangeCode({ db, secrets, now, ip: request.ip }, fields));
    reply.headers(answerHeaders);
    if (result.kind === "token") {
      const { token: access_token, expiresIn: expires_in } = result;
      return reply.send({ access_token, token_type: "Bearer", expires_in, refresh_token: null });
    }
    const { error } = result;
    const isBasicRefused = error === "invalid_client" && client.client_id !== undefined;
    if (isBasicRefused) reply.header("www-authenticate", 'Basic realm="oauth"');
    return reply.code(isBasicRefused ? 401 : 400).send({ error });
  });
}

const answerHeaders = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };

/**
 * RFC 6749 §5.2: whatever is wrong with the form is an `invalid_request`. The words for what another time may bring, and for a
 * failure, are those of §4.1.2.1: §5.2 has none.
 */
function sendError(error: RegistryError, reply: FastifyReply): FastifyReply {
  const { code, message: error_description, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const { status } = errorTypes[code];
  const answer = reply.headers(answerHeaders);
  if (status === 503) return answer.code(503).send({ error: "temporarily_unavailable", error_description });
  if (status >= 500) return answer.code(500).send({ error: "server_error", error_description });
  return answer.code(400).send({ error: "invalid_request", error_description });
}

/** RFC 6749 §2.3.1: both parts are written as in forms. */
function basicClient({ headers }: FastifyRequest): { readonly client_id?: string; readonly client_secret?: string } {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return {};
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 2);
  const plain = (text: string) => new URLSearchParams(`x=${text}`).get("x") ?? "";
  return { client_id: plain(id), client_secret: plain(secret) };
}
