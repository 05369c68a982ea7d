import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JWTPayload } from "jose";
import { makeSigningKeys, type OidcAlgorithm, type SignatureFault, type SigningKeys } from "./signing-keys.ts";

/** A fault of the provider. */
export type OidcFault =
  | SignatureFault
  | "wrong audience"
  | "wrong issuer"
  | "wrong nonce"
  | "no nonce"
  | "expired"
  | "no ID token"
  | "user info of another"
  | "discovery of another"
  | "silent"
  | "endless"
  | "not JSON"
  | "status 500"
  | "denied";

/** Options of {@link startOidcServer}. */
export interface OidcServerOptions {
  readonly algorithm?: OidcAlgorithm;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Epoch milliseconds; by default the machine's clock. */
  readonly now?: () => number;
}

/** A running provider. */
export interface OidcServer extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly keys: SigningKeys;
  /** The requested paths, in order. */
  readonly asked: string[];
  /** The claims about the user of the browser; at least `sub`. */
  person: JWTPayload;
  /** The claims that only the user info response has. */
  moreOfPerson: JWTPayload;
  fault: OidcFault | undefined;
  /** Whether it has a page where users sign out. */
  hasEndSession: boolean;
  /** Consents, as a user in a browser. @returns where the browser is redirected to */
  agree(authorizationUrl: string): Promise<string>;
  /** Issues a token of this provider with these claims, such as the token of a CI job or a logout token. It is valid for five minutes. */
  issue(claims: JWTPayload): Promise<string>;
}

/** The consent of a user, until its code is exchanged. */
interface Grant {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string | undefined;
  readonly person: JWTPayload;
  readonly more: JWTPayload;
}

const lifetimeSeconds = 300;

/** Starts a provider on a free port of the loopback interface. */
export async function startOidcServer(options: OidcServerOptions = {}): Promise<OidcServer> {
  const { algorithm = "RS256", clientId = "registry", clientSecret = "s3cret:/?", now = Date.now } = options;
  const keys = await makeSigningKeys(algorithm);
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const server: OidcServer = {
    issuer,
    clientId,
    clientSecret,
    keys,
    asked: [],
    person: { sub: "person-1" },
    moreOfPerson: {},
    fault: undefined,
    hasEndSession: true,
    agree: async (url) => agree(new URL(url)),
    issue: (claims) => keys.sign({ ...times(), iss: issuer, ...claims }, server.fault),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };

  function times(): JWTPayload {
    const seconds = Math.floor(now() / 1000);
    return { iat: seconds, exp: seconds + (server.fault === "expired" ? -lifetimeSeconds : lifetimeSeconds) };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", issuer);
    server.asked.push(pathname);
    if (server.fault === "silent") return;
    if (server.fault === "endless") return endless(response);
    if (server.fault === "not JSON") return void response.end("<html>");
    if (server.fault === "status 500") return void response.writeHead(500).end("{}");
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return json(response, 200, discovery());
      case "/authorize":
        return void response.writeHead(302, { location: agree(new URL(request.url ?? "/", issuer)) }).end();
      case "/keys":
        return json(response, 200, { keys: keys.published });
      case "/token":
        return json(response, ...(await exchange(request)));
      case "/userinfo": {
        const grant = tokens.get((request.headers.authorization ?? "").replace(/^Bearer /, ""));
        if (grant === undefined) return json(response, 401, { error: "invalid_token" });
        const other = server.fault === "user info of another" && { sub: "another" };
        return json(response, 200, { ...grant.person, ...grant.more, ...other });
      }
      case "/logout":
        return void response.writeHead(302, { location: signOut(new URL(request.url ?? "/", issuer)) }).end();
      default:
        return json(response, 404, {});
    }
  }

  function discovery() {
    return {
      issuer: server.fault === "discovery of another" ? "https://other.example" : issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      end_session_endpoint: server.hasEndSession ? `${issuer}/logout` : undefined,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      id_token_signing_alg_values_supported: [algorithm],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  function agree({ searchParams }: URL): string {
    const asked = (name: string) => searchParams.get(name) ?? undefined;
    const redirectUri = asked("redirect_uri") ?? "";
    const back = new URL(redirectUri);
    const state = asked("state") ?? "";
    if (asked("client_id") !== clientId || asked("response_type") !== "code")
      throw new Error("wrong client or response");
    if (asked("code_challenge_method") !== "S256" || !asked("scope")?.split(" ").includes("openid")) {
      throw new Error("expected PKCE by S256 and the scope openid");
    }
    if (server.fault === "denied") {
      back.search = new URLSearchParams({ error: "access_denied", state, iss: issuer }).toString();
      return back.href;
    }
    const code = randomUUID();
    const { person, moreOfPerson: more } = server;
    grants.set(code, { redirectUri, challenge: asked("code_challenge") ?? "", nonce: asked("nonce"), person, more });
    back.search = new URLSearchParams({ code, state, iss: issuer }).toString();
    return back.href;
  }

  /** Where the browser is redirected to after sign-out. */
  function signOut({ searchParams }: URL): string {
    if (searchParams.get("client_id") !== clientId) throw new Error("wrong client");
    return searchParams.get("post_logout_redirect_uri") ?? issuer;
  }

  async function exchange(request: IncomingMessage): Promise<[status: number, body: object]> {
    const form = new URLSearchParams(await textOf(request));
    const known = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString("base64");
    if (request.headers.authorization !== `Basic ${known}`) return [401, { error: "invalid_client" }];
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? ""); // once only
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant === undefined || grant.redirectUri !== form.get("redirect_uri") || grant.challenge !== challenge) {
      return [400, { error: "invalid_grant" }];
    }
    const access_token = randomUUID();
    tokens.set(access_token, grant);
    const id_token = server.fault === "no ID token" ? undefined : await idToken(grant);
    return [200, { access_token, token_type: "Bearer", expires_in: lifetimeSeconds, id_token }];
  }

  function idToken({ nonce, person }: Grant): Promise<string> {
    const { fault } = server;
    const claims = {
      ...times(),
      iss: fault === "wrong issuer" ? "https://other.example" : issuer,
      aud: fault === "wrong audience" ? "another-client" : clientId,
      ...(fault !== "no nonce" && { nonce: fault === "wrong nonce" ? "of-another-browser" : nonce }),
      ...person,
    };
    return keys.sign(claims, fault);
  }

  return server;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Writes until the client disconnects. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const more = () => {
    while (!response.destroyed && response.write(`{"${"a".repeat(65_536)}":`)) {}
  };
  response.on("drain", more);
  more();
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function formEncoded(text: string): string {
  return new URLSearchParams({ t: text }).toString().slice(2);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
