import { createHash } from "node:crypto";
import { join } from "node:path";
import { request } from "undici";
import { insertTags } from "../../tests/support/insert-tags.ts";
import { type Serving, startServer } from "./serving.ts";

/** A registry in a separate process with one user, `first`. Disposing of it stops it. */
export interface ServedRegistry extends Serving {
  /** The header with the user's OAuth token, which has every scope. */
  readonly bearer: string;
  /** The same token as clients send it to the distribution API. */
  readonly basic: string;
  /** The location of its database. */
  readonly database: string;
}

/** Starts a registry in an empty folder, on a database without users. @param as the kind of server that `serving-process.ts` runs */
export async function startRegistry(
  folder: string,
  database = join(folder, "plimsoll.db"),
  as: "registry" | "soaked" = "registry",
): Promise<ServedRegistry> {
  const serving = await startServer(as, folder, database);
  const user = { username: "first", password: "first-password", email: "first@example.com", access_token: true };
  const { access_token } = (await call(serving, { method: "POST", path: "/api/v1/user/initialize", body: user })) as {
    readonly access_token: string;
  };
  const basic = `Basic ${Buffer.from(`$oauthtoken:${access_token}`).toString("base64")}`;
  return { ...serving, bearer: `Bearer ${access_token}`, basic, database };
}

/** Starts another node of a registry, with its folder and its database. */
export function joinRegistry(folder: string, database: string): Promise<Serving> {
  return startServer("registry", folder, database);
}

/** Options of a request to a registry. */
export interface CallOptions {
  readonly authorization?: string;
  /** Bytes, or a value to send as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Sends a request to a registry. @throws if it fails */
export async function call(
  { address }: Pick<Serving, "address">,
  {
    method,
    path,
    authorization,
    body,
    contentType = "application/json",
  }: CallOptions & { readonly method: "GET" | "POST" | "PUT"; readonly path: string },
): Promise<unknown> {
  const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await request(`${address}${path}`, {
    method,
    headers: { ...(authorization && { authorization }), "content-type": contentType },
    body: bytes ?? null,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Pushes an image of one small layer to `repository:first`, which creates the repository. @returns the manifest's digest */
export async function pushImage(
  registry: Pick<ServedRegistry, "address" | "basic">,
  repository: string,
): Promise<string> {
  const blob = async (bytes: Buffer, mediaType: string) => {
    const digest = digestOf(bytes);
    const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
    const contentType = "application/octet-stream";
    await call(registry, { method: "POST", path, authorization: registry.basic, body: bytes, contentType });
    return { mediaType, digest, size: bytes.length };
  };
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const config = await blob(Buffer.from("{}"), "application/vnd.oci.image.config.v1+json");
  const layers = [await blob(Buffer.from("no layer at all"), "application/vnd.oci.image.layer.v1.tar")];
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config, layers }));
  const path = `/v2/${repository}/manifests/first`;
  await call(registry, { method: "PUT", path, authorization: registry.basic, body: manifest, contentType: mediaType });
  return digestOf(manifest);
}

/** Adds more tags of the pushed image to a repository, each older than the one before. */
export function addTags({ database }: ServedRegistry, name: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `build-${String(index).padStart(6, "0")}`);
  return insertTags(database, name, names.reverse());
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
