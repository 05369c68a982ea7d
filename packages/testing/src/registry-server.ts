import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type BuiltBlob, type BuiltImage, type BuiltIndex, blobsOf } from "./image-builder.ts";

/** A fault of the first request that matches it, or of all of them. */
export type RegistryFault = {
  /** Part of the request's path. */
  readonly path: string;
  /** Default: every method. */
  readonly method?: "GET" | "HEAD";
  /** Whether every matching request fails, and not only the first. */
  readonly isLasting?: true;
} & (
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection breaks after so many bytes of the body. */
  | { readonly kind: "reset"; readonly afterBytes: number }
  /** The body ends early, but looks complete. */
  | { readonly kind: "truncate"; readonly afterBytes: number }
  /** The last byte is wrong. */
  | { readonly kind: "corrupt" }
  /** Nothing is sent after so many bytes. */
  | { readonly kind: "stall"; readonly afterBytes: number }
  /** A redirect to another address. */
  | { readonly kind: "redirect"; readonly location: string }
);

/** How clients authenticate, and how the registry answers. `users` maps names to passwords; without it every client may pull. */
export interface RegistryServerOptions {
  readonly auth?: "none" | "basic" | "token";
  readonly users?: Readonly<Record<string, string>>;
  /** The refresh token that `/token` accepts. */
  readonly identityToken?: string;
  /** The member of the token response; by default `token`. */
  readonly tokenMember?: "token" | "access_token";
  readonly tokenSeconds?: number;
  /** Redirects blob requests to a second origin, as registries with object storage do. */
  readonly redirectBlobs?: boolean;
  /** Answers range requests with whole bodies. */
  readonly ignoreRanges?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The token realm; by default that of this server. */
  readonly realm?: string;
}

/** A received request. */
export interface SeenRequest {
  readonly origin: "registry" | "storage";
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
  readonly accept: string | undefined;
}

/** A registry in memory, on the loopback interface: the pull half of the distribution API over real HTTP. */
export interface RegistryServer extends AsyncDisposable {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** In order of arrival. */
  readonly requests: readonly SeenRequest[];
  /** Adds an image or an index with all its blobs and these tags. */
  put(repository: string, root: BuiltImage | BuiltIndex, ...tags: readonly string[]): void;
  /** Adds any bytes as a manifest, by tag or digest. */
  putManifest(repository: string, name: string, manifest: BuiltBlob): void;
  /** Adds any bytes as a blob. */
  putBlob(repository: string, blob: BuiltBlob): void;
  /** Adds a manifest to the referrers of another. A server without any referrers does not have that API: it answers 404. */
  refer(repository: string, subject: string, manifest: BuiltBlob): void;
  /** Invalidates all tokens issued so far. */
  forgetTokens(): void;
  /** Adds faults. */
  fail(...faults: readonly RegistryFault[]): void;
}

/**
 * Opens a registry.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pull
 */
export async function openRegistryServer(options: RegistryServerOptions = {}): Promise<RegistryServer> {
  const state = new RegistryState(options);
  const servers = [await listen(state.answer, options.tls)];
  if (options.redirectBlobs === true) {
    const storage = await listen(state.answerStorage);
    servers.push(storage);
    state.storage = `http://${hostOf(storage)}`;
  }
  const host = servers[0] === undefined ? "" : hostOf(servers[0]);
  state.origin = `${options.tls === undefined ? "http" : "https"}://${host}`;
  return {
    host,
    requests: state.requests,
    put: (repository, root, ...tags) => state.put(repository, root, tags),
    putManifest: (repository, name, manifest) => state.manifests.set(`${repository}@${name}`, manifest),
    putBlob: (repository, blob) => state.putBlob(repository, blob),
    refer: (repository, subject, manifest) => state.refer(repository, subject, manifest),
    forgetTokens: () => state.forgetTokens(),
    fail: (...faults) => state.faults.push(...faults),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

class RegistryState {
  origin = "";
  storage = "";
  readonly requests: SeenRequest[] = [];
  readonly faults: RegistryFault[] = [];
  readonly manifests = new Map<string, BuiltBlob>();
  readonly #blobs = new Map<string, BuiltBlob>();
  readonly #referrers = new Map<string, readonly BuiltBlob[]>();
  readonly #tokens = new Map<string, string>();
  #tokensMade = 0;
  readonly #options: RegistryServerOptions;

  constructor(options: RegistryServerOptions) {
    this.#options = options;
  }

  put(repository: string, root: BuiltImage | BuiltIndex, tags: readonly string[]): void {
    for (const blob of blobsOf(root)) {
      this.#blobs.set(`${repository}@${blob.digest}`, blob);
      if ("kind" in blob) this.manifests.set(`${repository}@${blob.digest}`, blob);
    }
    for (const tag of tags) this.manifests.set(`${repository}@${tag}`, root);
  }

  putBlob(repository: string, blob: BuiltBlob): void {
    this.#blobs.set(`${repository}@${blob.digest}`, blob);
  }

  refer(repository: string, subject: string, manifest: BuiltBlob): void {
    this.manifests.set(`${repository}@${manifest.digest}`, manifest);
    const key = `${repository}@${subject}`;
    this.#referrers.set(key, [...(this.#referrers.get(key) ?? []), manifest]);
  }

  forgetTokens(): void {
    this.#tokens.clear();
  }

  readonly answer: RequestListener = (request, response) => {
    const path = this.#note("registry", request);
    const fault = this.#takeFault(request.method, path);
    if (fault?.kind === "status") return end(response, { status: fault.status, headers: fault.headers });
    if (fault?.kind === "redirect") return end(response, { status: 307, headers: { location: fault.location } });
    if (path.startsWith("/token")) return this.#answerToken(request, response, path);
    const route = /^\/v2\/(?:(.+)\/(manifests|blobs|referrers|tags)\/([^/?]+))?(?:\?.*)?$/.exec(path);
    if (route === null) return end(response, { status: 404 });
    const [, repository = "", kind, name = ""] = route;
    if (!this.#admits(request, repository)) return this.#challenge(response, repository);
    if (kind === undefined) return end(response, { status: 200 });
    if (kind === "blobs" && this.storage !== "") {
      return end(response, {
        status: 307,
        headers: { location: `${this.storage}/${repository}/${name}?signature=abc` },
      });
    }
    if (kind === "tags")
      return end(response, { status: 200, body: JSON.stringify({ tags: this.#tagsOf(repository) }) });
    if (kind === "referrers") return this.#answerReferrers(response, `${repository}@${name}`);
    const source = kind === "blobs" ? this.#blobs : this.manifests;
    this.#send(request, response, { blob: source.get(`${repository}@${name}`), fault });
  };

  #tagsOf(repository: string): readonly string[] {
    const names = [...this.manifests.keys()].map((key) => key.split("@"));
    return names.flatMap(([of, name = ""]) => (of === repository && !name.includes(":") ? [name] : []));
  }

  #answerReferrers(response: ServerResponse, subject: string): void {
    if (this.#referrers.size === 0) {
      end(response, { status: 404 });
      return;
    }
    const manifests = (this.#referrers.get(subject) ?? []).map(({ digest, mediaType, bytes }) => {
      return { digest, mediaType, size: bytes.length };
    });
    end(response, { status: 200, body: JSON.stringify({ schemaVersion: 2, manifests }) });
  }

  readonly answerStorage: RequestListener = (request, response) => {
    const path = this.#note("storage", request);
    const fault = this.#takeFault(request.method, path);
    if (fault?.kind === "status") return end(response, { status: fault.status, headers: fault.headers });
    const [, repository = "", digest = ""] = /^\/(.+)\/([^/?]+)\?/.exec(path) ?? [];
    if (request.headers.authorization !== undefined) return end(response, { status: 400 });
    this.#send(request, response, { blob: this.#blobs.get(`${repository}@${digest}`), fault });
  };

  #note(origin: SeenRequest["origin"], request: IncomingMessage): string {
    const path = request.url ?? "";
    const { authorization, range, accept } = request.headers;
    this.requests.push({ origin, method: request.method ?? "", path, authorization, range, accept });
    return path;
  }

  #takeFault(asked: string | undefined, path: string): RegistryFault | undefined {
    const i = this.faults.findIndex((each) => path.includes(each.path) && (each.method ?? asked) === asked);
    const fault = this.faults[i];
    if (fault !== undefined && fault.isLasting !== true) this.faults.splice(i, 1);
    return fault;
  }

  #admits(request: IncomingMessage, repository: string): boolean {
    const { auth = "none" } = this.#options;
    if (auth === "none") return true;
    const [scheme, value = ""] = (request.headers.authorization ?? "").split(" ");
    if (auth === "basic") return scheme === "Basic" && this.#isUser(value);
    const scope = this.#tokens.get(value);
    return scheme === "Bearer" && (repository === "" || scope === `repository:${repository}:pull`);
  }

  #isUser(basic: string): boolean {
    const [name = "", ...password] = Buffer.from(basic, "base64").toString().split(":");
    return this.#options.users?.[name] === password.join(":");
  }

  #challenge(response: ServerResponse, repository: string): void {
    const { auth, realm = `${this.origin}/token` } = this.#options;
    const scope = repository === "" ? "" : `,scope="repository:${repository}:pull"`;
    const challenge =
      auth === "basic" ? 'Basic realm="test"' : `Bearer realm="${realm}",service="test-registry"${scope}`;
    end(response, { status: 401, headers: { "www-authenticate": challenge } });
  }

  async #answerToken(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const form = request.method === "POST" ? new URLSearchParams(await bodyOf(request)) : undefined;
    const query = form ?? new URL(path, this.origin).searchParams;
    const [, basic = ""] = (request.headers.authorization ?? "").split(" ");
    const { users, identityToken, tokenMember = "token", tokenSeconds = 300 } = this.#options;
    const admitted =
      form === undefined ? users === undefined || this.#isUser(basic) : form.get("refresh_token") === identityToken;
    if (!admitted || query.get("service") !== "test-registry") return end(response, { status: 401 });
    const token = `token-${++this.#tokensMade}`;
    this.#tokens.set(token, query.get("scope") ?? "");
    end(response, {
      status: 200,
      body: JSON.stringify({ [tokenMember]: token, expires_in: tokenSeconds }),
    });
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    { blob, fault }: { readonly blob: BuiltBlob | undefined; readonly fault?: RegistryFault | undefined },
  ): void {
    if (blob === undefined) {
      end(response, { status: 404, body: JSON.stringify({ errors: [{ code: "NAME_UNKNOWN" }] }) });
      return;
    }
    const range = this.#options.ignoreRanges === true ? "" : (request.headers.range ?? "");
    const [, from, to = ""] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const start = Number(from ?? 0);
    const until = to === "" ? blob.bytes.length : Math.min(blob.bytes.length, Number(to) + 1);
    const body = Uint8Array.from(blob.bytes.subarray(start, until));
    if (fault?.kind === "corrupt") body[body.length - 1] = (body.at(-1) ?? 0) ^ 0xff;
    if (from !== undefined) {
      response.setHeader("content-range", `bytes ${start}-${until - 1}/${blob.bytes.length}`);
    }
    response.statusCode = from === undefined ? 200 : 206;
    response.setHeader("content-type", blob.mediaType);
    response.setHeader("docker-content-digest", blob.digest);
    sendBody(response, body, fault);
  }
}

function sendBody(response: ServerResponse, body: Uint8Array, fault: RegistryFault | undefined): void {
  if (fault?.kind === "truncate") {
    response.write(body.subarray(0, fault.afterBytes)); // without Content-Length, so that the body looks complete
    response.end();
    return;
  }
  response.setHeader("content-length", body.length);
  if (fault?.kind !== "reset" && fault?.kind !== "stall") {
    response.end(body);
    return;
  }
  response.write(body.subarray(0, fault.afterBytes), () => {
    if (fault.kind === "reset") response.destroy();
  });
}

function end(
  response: ServerResponse,
  {
    status,
    headers = {},
    body = "",
  }: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly body?: string;
  },
): void {
  response.writeHead(status, headers).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

async function listen(answer: RequestListener, tls?: { readonly key: string; readonly cert: string }): Promise<Server> {
  const server: Server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function hostOf(server: Server): string {
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
