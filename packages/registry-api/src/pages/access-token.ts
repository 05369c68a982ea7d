import type { RegistryError } from "@plimsoll/registry/errors";
import { exchangeCode } from "@plimsoll/registry/identity/oauth/grants";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { byProof } from "../access/public-access.ts";
import { errorTypes } from "../http/api-error.ts";
import { type RepliedRequest, type ReplyContext, replyOperation } from "../http/reply-operation.ts";
import { type Fields, fields } from "./page-fields.ts";

/** RFC 6749 §5.1 and §5.2. */
const ExchangeAnswer = Type.Union([
  Type.Object({
    access_token: Type.String(),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Number(),
    refresh_token: Type.Null(),
  }),
  Type.Object({ error: Type.String() }),
]);
type ExchangeAnswer = Static<typeof ExchangeAnswer>;

const ExchangeFields = fields(
  ...(["grant_type", "client_id", "client_secret", "redirect_uri", "code", "scope", "code_verifier"] as const),
);

/**
 * The operation by which applications exchange codes for tokens.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3
 */
export const accessTokenOperations = [
  replyOperation({
    id: "exchangeCode",
    method: "POST",
    path: "/oauth/access_token",
    summary: "Exchange a code of an OAuth grant for a token.",
    access: byProof("the secret of an application and a code"),
    success: 200,
    query: ExchangeFields,
    body: ExchangeFields,
    result: ExchangeAnswer,
    handle: ({ query, body }, context) => exchange(context, { ...query, ...body }),
  }),
];

async function exchange({ registry, request, reply }: ReplyContext, given: Fields): Promise<ExchangeAnswer> {
  const { store, secrets, clock } = registry;
  const client = basicClient(request);
  const fields = { ...given, ...client };
  const now = clock.now();
  const result = await store.transaction((db) => exchangeCode({ db, secrets, now, ip: request.ip }, fields));
  reply.headers(answerHeaders);
  if (result.kind === "token") {
    const { token: access_token, expiresIn: expires_in } = result;
    return { access_token, token_type: "Bearer", expires_in, refresh_token: null };
  }
  const { error } = result;
  const isBasicRefused = error === "invalid_client" && client.client_id !== undefined;
  if (isBasicRefused) reply.header("www-authenticate", 'Basic realm="oauth"');
  reply.code(isBasicRefused ? 401 : 400);
  return { error };
}

/** Whether all responses to a request have the form of RFC 6749, also errors before the handler. */
export function isTokenExchange({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation === "exchangeCode";
}

const answerHeaders = { "cache-control": "no-store", pragma: "no-cache", "x-content-type-options": "nosniff" };

/**
 * Sends an error in the form of RFC 6749 §5.2: all errors of the client are `invalid_request`. The status of a condition that is not met
 * is that of HTTP. §5.2 has no codes for overload and for failures of the server, so those of §4.1.2.1 are used.
 */
export function sendExchangeError(error: RegistryError, reply: FastifyReply): FastifyReply {
  const { code, message: error_description, retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  const { status } = errorTypes[code];
  const answer = reply.headers(answerHeaders);
  if (status === 503) return answer.code(503).send({ error: "temporarily_unavailable", error_description });
  if (status >= 500) return answer.code(500).send({ error: "server_error", error_description });
  return answer.code(status === 412 ? 412 : 400).send({ error: "invalid_request", error_description });
}

/** The client id and secret in the header `Authorization`. RFC 6749 §2.3.1: both are form-encoded before base64. */
function basicClient({ headers }: RepliedRequest): { readonly client_id?: string; readonly client_secret?: string } {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return {};
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 2);
  const plain = (text: string) => new URLSearchParams(`x=${text}`).get("x") ?? "";
  return { client_id: plain(id), client_secret: plain(secret) };
}
