import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { accountOf, anonymous, type Principal } from "@plimsoll/registry/access/principal";
import { findAccount } from "@plimsoll/registry/access/queries";
import { repositoryActions } from "@plimsoll/registry/distribution/repository-actions";
import { logSignIn } from "@plimsoll/registry/identity/sign-in/log-sign-ins";
import type { CredentialOptions } from "@plimsoll/registry/identity/sign-in/registry-credentials";
import type { Origin } from "@plimsoll/registry/settings";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { effectiveOrigin } from "../http/browser-calls.ts";
import { DistributionError } from "./distribution-error.ts";
import { basicUsername, type RegistryAuth } from "./identify-caller.ts";
import { readRefreshToken, registryTokenSeconds, signRefreshToken, signRegistryToken } from "./registry-tokens.ts";
import { entityOf } from "./token-entity.ts";
import {
  grantedActions,
  parseTokenScopes,
  repositoryOfScope,
  type TokenAccess,
  type TokenScope,
} from "./token-scopes.ts";
import { signInLogged, signInPlace } from "./token-sign-in.ts";

/** The grant type and the field of a refresh token: RFC 6749 §6. */
const refreshScheme = "refresh_token";

/** What answers a request for a token. */
export interface TokenContext {
  readonly request: TokenHttpRequest;
  readonly options: CredentialOptions;
  readonly auth: RegistryAuth;
}

/** The caller who requests a token. */
interface TokenCaller {
  readonly principal: Principal;
  /** Whether the caller sent credentials, and not a refresh token. */
  readonly hasSignedIn: boolean;
}

/** A request to the token service. */
interface TokenRequest {
  readonly scopes: readonly TokenScope[];
  readonly audience: string;
  /** The origin by which the client reaches the registry. */
  readonly origin: Origin;
}

const issued = { token: Type.String(), expires_in: Type.Integer(), issued_at: Type.String() };

/** The response to Basic credentials. */
export const RegistryToken = Type.Object(issued);

/** The response to the form. */
export const OAuthToken = Type.Object({
  ...issued,
  access_token: Type.String(),
  token_type: Type.Literal("Bearer"),
  scope: Type.String(),
  refresh_token: Type.Optional(Type.String()),
});

/** The longest text of a field: that of the longest form. */
const maxLength = 65_536;

const FieldText = Type.Optional(Type.String({ maxLength }));

/** The repositories and actions that a client asks for; of several parameters, all. Real clients ask for few. */
const scoped = {
  scope: Type.Optional(Type.Array(Type.String({ maxLength }), { maxItems: 1_000 })),
  service: FieldText,
};

/** The query of a request for a token. */
export const TokenQuery = Type.Object(scoped);
type TokenQuery = Static<typeof TokenQuery>;

/** The form of OAuth 2. */
export const TokenForm = Type.Object({
  ...scoped,
  ...{ grant_type: FieldText, username: FieldText, password: FieldText },
  ...{ refresh_token: FieldText, access_type: FieldText, client_id: FieldText },
});
type TokenForm = Static<typeof TokenForm>;

/** A request for a token, without its query and its body: those are checked before. */
export type TokenHttpRequest = Omit<FastifyRequest, "query" | "body">;

/** The token for a query: `GET /v2/auth`. @throws DistributionError `UNAUTHORIZED`, `DENIED` */
export async function answerQuery(
  { request, options, auth }: TokenContext,
  query: TokenQuery,
): Promise<Static<typeof RegistryToken>> {
  const principal = await identifyBasic(request, options, auth);
  const tokenRequest = tokenRequestOf(query, effectiveOrigin(request, options.settings));
  checkNotEmpty(principal, tokenRequest, auth);
  await logSignInOf(request, options, { tokenCaller: { principal, hasSignedIn: true }, tokenRequest });
  const { token, expires_in, issued_at } = await grant(options, principal, tokenRequest);
  return { token, expires_in, issued_at };
}

/** The caller of Basic credentials; anonymous without them. @throws DistributionError `UNAUTHORIZED` */
function identifyBasic(request: TokenHttpRequest, options: CredentialOptions, auth: RegistryAuth): Promise<Principal> {
  const signIn = async () => (await auth.identifyBasic(request.headers, request.ip))?.principal ?? anonymous;
  return signInLogged(request, options, { username: basicUsername(request.headers), signIn });
}

/** @throws DistributionError `UNAUTHORIZED` for a request without credentials and scopes, which clients send to learn whether they may sign in */
function checkNotEmpty(principal: Principal, { scopes }: TokenRequest, auth: RegistryAuth): void {
  if (principal.kind !== "anonymous" || scopes.length > 0) return;
  const headers = { "www-authenticate": auth.challenge() };
  throw new DistributionError("UNAUTHORIZED", "Expected credentials or a scope", { detail: {}, headers });
}

/**
 * The token for `POST /v2/auth`: for a form, or for Basic credentials without a grant in a form. The latter have their scopes in the form
 * or in the query.
 * @throws DistributionError `UNAUTHORIZED`, `INVALID_REQUEST`, `DENIED`
 */
export async function answerForm(
  { request, options, auth }: TokenContext,
  query: TokenQuery,
  form: TokenForm,
): Promise<Static<typeof OAuthToken>> {
  const isBasic = form.grant_type === undefined && request.headers.authorization !== undefined;
  const { scope: scopes, service } = isBasic ? query : ({} as TokenQuery);
  const given = { scope: form.scope ?? scopes, service: form.service ?? service };
  const tokenRequest = tokenRequestOf(given, effectiveOrigin(request, options.settings));
  const tokenCaller = isBasic
    ? { principal: await identifyBasic(request, options, auth), hasSignedIn: true }
    : await identifyForm(request, form, { options, auth, audience: tokenRequest.audience });
  checkNotEmpty(tokenCaller.principal, tokenRequest, auth);
  await logSignInOf(request, options, { tokenCaller, tokenRequest });
  const { principal } = tokenCaller;
  const { token: access_token, access, ...lifetime } = await grant(options, principal, tokenRequest);
  const scope = access.map(({ type, name, actions }) => `${type}:${name}:${actions.join(",")}`).join(" ");
  const lasts = tokenCaller.hasSignedIn && form.access_type === "offline" && !isFederated(principal);
  const refresh = lasts && {
    refresh_token: await signRefreshToken(
      {
        audience: tokenRequest.audience,
        entity: entityOf(principal),
        lifetimeSeconds: options.settings.sessionSeconds,
      },
      options.tokenKey,
      options.clock.now(),
    ),
  };
  return { access_token, token: access_token, token_type: "Bearer", scope, ...lifetime, ...refresh };
}

/** @throws DistributionError `UNAUTHORIZED`, `INVALID_REQUEST` */
async function identifyForm(
  request: TokenHttpRequest,
  form: TokenForm,
  { options, auth, audience }: { options: CredentialOptions; auth: RegistryAuth; audience: string },
): Promise<TokenCaller> {
  switch (form.grant_type) {
    case "password": {
      const credentials = { username: fieldOf(form, "username"), password: fieldOf(form, "password") };
      const signIn = async () => (await auth.identifyCredentials(credentials, request.ip)).principal;
      return {
        principal: await signInLogged(request, options, { username: credentials.username, signIn }),
        hasSignedIn: true,
      };
    }
    case refreshScheme: {
      const now = options.clock.now();
      const jwt = fieldOf(form, refreshScheme);
      const entity = await readRefreshToken(jwt, { key: options.tokenKey, audience, now });
      const principal = entity && (await auth.findPrincipal(entity));
      if (principal === undefined) throw refreshRefused(auth.challenge());
      return { principal, hasSignedIn: false };
    }
    default:
      throw new DistributionError("INVALID_REQUEST", `grant_type: expected password or ${refreshScheme}`);
  }
}

/** Whether a robot signed in with a federated token. It gets no refresh token, so that its access ends soon after that token expires. */
function isFederated(principal: Principal): boolean {
  return principal.kind === "robot" && principal.federation !== undefined;
}

function fieldOf(form: TokenForm, name: "username" | "password" | typeof refreshScheme): string {
  const { [name]: value = "" } = form;
  if (value !== "") return value;
  throw new DistributionError("INVALID_REQUEST", `${name} is missing in the form`);
}

function refreshRefused(challenge: string): DistributionError {
  const options = { detail: {}, headers: { "www-authenticate": challenge } };
  return new DistributionError(
    "UNAUTHORIZED",
    "The refresh token is not valid, or it has expired: sign in again",
    options,
  );
}

function tokenRequestOf({ scope = [], service = "" }: TokenQuery, origin: Origin): TokenRequest {
  const audience = service === "" ? origin.host : service.slice(0, 255);
  return { scopes: parseTokenScopes(scope), audience, origin };
}

/** Logs a sign-in. Requests with a scope, as for each push and pull, are not logged: a client that only signs in requests none. */
async function logSignInOf(
  request: TokenHttpRequest,
  { db, settings, clock }: CredentialOptions,
  {
    tokenCaller: { principal, hasSignedIn },
    tokenRequest: { scopes },
  }: { readonly tokenCaller: TokenCaller; readonly tokenRequest: TokenRequest },
): Promise<void> {
  if (hasSignedIn && scopes.length === 0)
    await logSignIn({ db, settings }, principal, signInPlace(request, clock.now()));
}

async function grant(options: CredentialOptions, principal: Principal, { scopes, audience, origin }: TokenRequest) {
  const now = options.clock.now();
  const access = await Promise.all(scopes.map((each) => accessOf(options, { principal, origin }, each)));
  const claims = { subject: subjectOf(principal), audience, entity: entityOf(principal), access };
  return {
    token: await signRegistryToken(claims, options.tokenKey, now),
    access,
    expires_in: registryTokenSeconds,
    issued_at: new Date(now).toISOString(),
  };
}

async function accessOf(
  { db, settings }: CredentialOptions,
  { principal, origin }: { readonly principal: Principal; readonly origin: Origin },
  { type, name, actions }: TokenScope,
): Promise<TokenAccess> {
  if (type !== "repository") return { type, name, actions: [] };
  const path = repositoryOfScope(name, origin.host, settings.host);
  const rights = await repositoryActions({ db, settings }, principal, path);
  if (rights.repository === undefined) await checkEnabled(db, path);
  return { type, name, actions: grantedActions(actions, rights.actions) };
}

/** @throws DistributionError `DENIED` for a repository in a disabled namespace: every caller is refused */
async function checkEnabled(db: RegistryDb, path: string): Promise<void> {
  const { namespace } = splitRepository(path);
  if ((await findAccount(db, namespace, "user", "organization"))?.enabled !== 0) return;
  throw new DistributionError("DENIED", `The namespace ${namespace} is disabled`, { status: 405 });
}

function subjectOf(principal: Principal): string {
  return accountOf(principal)?.username ?? "(anonymous)";
}
