import type { FastifyRequest } from "fastify";
import type { UserPrincipal } from "../../access/principal.ts";
import { equalSecrets } from "../../crypto/secrets.ts";
import { invalidRequest, RegistryError } from "../../errors.ts";
import { csrfTokenMissing, findSession } from "../../rules/sessions.ts";
import type { ServedRegistry } from "../answer-operation.ts";
import { readCookie, sessionCookie } from "../cookies.ts";

/** The fields of a form or a query; of several with one name, the last. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** The user of a page, by the session of their browser; a form must come from a page of that session. */
export interface PageUser {
  readonly account: UserPrincipal["account"];
  readonly csrfToken: string;
}

/** Who opened a page or sent a form. @throws RegistryError `invalid_token`, `insufficient_scope` without the CSRF token */
export async function findPageUser({ store, ports }: ServedRegistry, request: FastifyRequest): Promise<PageUser> {
  const cookie = readCookie(request.headers.cookie, sessionCookie);
  const session = cookie === undefined ? undefined : await findSession(store.db, cookie, ports.clock.now());
  if (session?.principal === undefined)
    throw new RegistryError("invalid_token", "Sign in first, then open this page again");
  const { csrfToken, principal } = session;
  if (request.method !== "GET" && !equalSecrets(fieldsOf(request.body)._csrf_token ?? "", csrfToken)) {
    throw csrfTokenMissing();
  }
  return { account: principal.account, csrfToken };
}

/** The texts among parsed fields. @throws RegistryError `invalid_request` for what no database stores */
export function fieldsOf(parsed: unknown): Fields {
  return Object.fromEntries(
    Object.entries((parsed ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      if (typeof last !== "string") return [];
      if (last.includes("\u0000")) throw invalidRequest(`${name}: has U+0000 in it`);
      return [[name, last]];
    }),
  );
}
