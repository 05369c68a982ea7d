import { RegistryError } from "@plimsoll/registry/errors";
import type { BegunSignIn, IdentityProvider, ProviderLogout } from "@plimsoll/registry/ports/identities";
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from "jose";
import type { Client, TokenEndpointResponse } from "oauth4webapi";
import { type Issuer, type IssuersOptions, loadOauth, openIssuers, signingAlgorithms } from "./issuers.ts";
import { type OidcClaimRules, userOfClaims } from "./oidc-claims.ts";

/** The options of an OpenID Connect provider that users sign in with. */
export interface OidcOptions extends OidcClaimRules {
  /** The provider's name in addresses and logins: `corporate`. */
  readonly service: string;
  /** The provider's name on pages and in messages: `Example Corp`. */
  readonly title: string;
  /** Its address, exactly as in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  /** Where absent, the registry is a public client. */
  readonly clientSecret?: string;
  /** Besides `openid`. */
  readonly scopes?: readonly string[];
  /** Whether users who have no account yet get one; true where absent. */
  readonly createsAccounts?: boolean;
}

/** By how much the clocks of the provider and of this machine may differ. */
const skewSeconds = 30;

/** How long ago an ID token may have been issued: it comes straight from the provider. A time in the future is refused, too. */
const oidcProviderMaxAgeSeconds = 3600;

/**
 * A provider by its discovery document: the authorization code flow with PKCE, a nonce, and an ID token whose signature is checked.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth
 * @example
 * await using outbound = openOutbound({ policy: "trusted", connectMs: 10_000, idleMs: 30_000 });
 * const provider = oidcProvider(
 *   { service: "corporate", title: "Example Corp", issuer: "https://login.example.com", clientId: "registry" },
 *   { ask: outbound.fetch },
 * );
 */
export function oidcProvider(options: OidcOptions, asking: IssuersOptions): IdentityProvider {
  const issuers = openIssuers(asking);
  const { service, title, issuer, clientId, scopes = [], groupsClaim, createsAccounts = true } = options;
  const find = () => issuers.find(issuer);
  return {
    service,
    title,
    createsAccounts,
    providesGroups: groupsClaim !== undefined,
    begin: ({ redirectUri, state, nonce, codeVerifier }) =>
      asProvider(title, async () => {
        const { server } = await find();
        if (server.authorization_endpoint === undefined) throw new TypeError("it has no authorization_endpoint");
        const url = new URL(server.authorization_endpoint);
        const { calculatePKCECodeChallenge } = await loadOauth();
        for (const [name, value] of Object.entries({
          response_type: "code",
          client_id: clientId,
          redirect_uri: redirectUri,
          scope: [...new Set(["openid", ...scopes])].join(" "),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
        })) {
          url.searchParams.set(name, value);
        }
        return url.href;
      }),
    finish: (begun, answer) =>
      asProvider(title, async () => {
        const { claims, idToken } = await exchange({ options, fetch: issuers.fetch }, await find(), { begun, answer });
        const { sid } = claims;
        const session = { idToken, sid: typeof sid === "string" && isSid(sid) ? sid : undefined };
        return { ...userOfClaims(claims, options), session };
      }),
    endAddress: ({ idToken, returnTo }) =>
      asProvider(title, async () => {
        const { server } = await find();
        if (server.end_session_endpoint === undefined) return undefined;
        const url = new URL(server.end_session_endpoint);
        url.searchParams.set("client_id", clientId);
        url.searchParams.set("post_logout_redirect_uri", returnTo);
        if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken);
        return url.href;
      }),
    async readLogout(token, now) {
      const found = await asProvider(title, find);
      return readLogoutToken(token, found, { issuer, clientId, now }).catch((cause: unknown) => {
        throw new RegistryError("invalid_request", "logout_token: it cannot be accepted", { cause });
      });
    },
  };
}

interface Exchange {
  readonly options: OidcOptions;
  readonly fetch: ReturnType<typeof openIssuers>["fetch"];
}

/** Whether a session id can be stored. No known provider has longer ones. */
function isSid(sid: string): boolean {
  return sid !== "" && sid.length <= 255 && !sid.includes("\u0000");
}

/** The ID token, and its claims together with those of the user info endpoint. */
async function exchange(
  { options, fetch }: Exchange,
  { server, keysOfAnswers }: Issuer,
  { begun, answer }: { readonly begun: BegunSignIn; readonly answer: URLSearchParams },
): Promise<{ readonly claims: Readonly<Record<string, unknown>>; readonly idToken: string }> {
  const { clientId, issuer } = options;
  const oauth = await loadOauth();
  const client: Client = { client_id: clientId, [oauth.clockTolerance]: skewSeconds };
  const how = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: issuer.startsWith("http:") };
  const checked = oauth.validateAuthResponse(server, client, answer, begun.state);
  const { redirectUri, codeVerifier, nonce } = begun;
  const proof = authenticationOf(oauth, options, server.token_endpoint_auth_methods_supported);
  const granted = [server, client, proof, checked, redirectUri, codeVerifier, how] as const;
  const response = await oauth.authorizationCodeGrantRequest(...granted);
  const expected = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
  const idToken = tokens.id_token ?? "";
  const { payload } = await jwtVerify(idToken, keysOfAnswers, {
    issuer,
    audience: clientId,
    algorithms: signingAlgorithms,
    clockTolerance: skewSeconds,
    requiredClaims: ["exp", "iat", "sub"],
    maxTokenAge: oidcProviderMaxAgeSeconds,
  });
  if (server.userinfo_endpoint === undefined) return { claims: payload, idToken };
  const more = await userInfo({ server, client, tokens, subject: payload.sub ?? "" }, how);
  return { claims: { ...more, ...payload }, idToken };
}

async function userInfo(
  asked: {
    readonly server: Issuer["server"];
    readonly client: Client;
    readonly tokens: TokenEndpointResponse;
    readonly subject: string;
  },
  how: object,
) {
  const { server, client, tokens, subject } = asked;
  const oauth = await loadOauth();
  const response = await oauth.userInfoRequest(server, client, tokens.access_token, how);
  return oauth.processUserInfoResponse(server, client, subject, response);
}

/** Basic authentication, unless the provider supports only `client_secret_post`. It is the default of the specification. */
function authenticationOf(
  { None, ClientSecretBasic, ClientSecretPost }: Awaited<ReturnType<typeof loadOauth>>,
  { clientSecret }: OidcOptions,
  supported: readonly string[] = ["client_secret_basic"],
) {
  if (clientSecret === undefined) return None();
  const isOnlyPost = supported.includes("client_secret_post") && !supported.includes("client_secret_basic");
  return isOnlyPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

/** Turns failures of the provider into errors for the client. Details are only in the cause, for the log. */
async function asProvider<Result>(title: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RegistryError) throw cause;
    const { AuthorizationResponseError } = await loadOauth();
    if (cause instanceof AuthorizationResponseError) {
      const denied = cause.error === "access_denied";
      throw new RegistryError(
        "insufficient_scope",
        denied ? `${title} did not let you in, or you cancelled` : `${title} refused: ${cause.error.slice(0, 100)}`,
        { cause },
      );
    }
    const message = `Signing in with ${title} failed: its answer could not be used. Try again, or ask the operator of the registry, whose log says why`;
    throw new RegistryError("downstream_issue", message, { cause });
  }
}

/** The event of a logout token. @see https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken */
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Older tokens are refused, so that used tokens need not be stored for longer. */
const logoutTokenMaxAgeSeconds = 600;

/** The longest identifier: characters. */
const maxLength = 255;

/** The values that a token must match. */
interface ExpectedLogout {
  readonly issuer: string;
  readonly clientId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Validates a logout token. The caller checks whether it was used before.
 * @throws errors of `jose`; TypeError for claims that a logout token must not have, or lacks
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
 */
async function readLogoutToken(
  token: string,
  { keys }: Pick<Issuer, "keys">,
  { issuer, clientId, now }: ExpectedLogout,
): Promise<ProviderLogout> {
  const { typ = "JWT" } = decodeProtectedHeader(token);
  if (!/^(?:application\/)?(?:logout\+)?jwt$/i.test(typ)) throw new TypeError(`typ: expected logout+jwt, found ${typ}`);
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: signingAlgorithms,
    clockTolerance: skewSeconds,
    currentDate: new Date(now),
    maxTokenAge: logoutTokenMaxAgeSeconds,
    requiredClaims: ["iat", "jti", "events"],
  });
  return logoutOf(payload);
}

function logoutOf(payload: JWTPayload): ProviderLogout {
  const { events, nonce, iat = 0 } = payload;
  const event = typeof events === "object" && events !== null ? (events as Record<string, unknown>)[logoutEvent] : null;
  if (typeof event !== "object" || event === null) throw new TypeError("events: expected the event of a logout");
  if (nonce !== undefined) throw new TypeError("nonce: a logout token has none");
  const [subject, sid, jti] = [textOf(payload, "sub"), textOf(payload, "sid"), textOf(payload, "jti")];
  if (subject === undefined && sid === undefined) throw new TypeError("expected sub or sid, found neither");
  return {
    subject,
    sid,
    jti: jti ?? "",
    usableUntil: 1000 * (iat + logoutTokenMaxAgeSeconds + skewSeconds),
  };
}

function textOf(payload: JWTPayload, name: string): string | undefined {
  const value = payload[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= maxLength && !value.includes("\u0000")) return value;
  throw new TypeError(`${name}: expected a string of up to ${maxLength} characters`);
}
