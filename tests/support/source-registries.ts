/** Real registries that a test copies from: one of our own, and Debian's docker-registry where it is installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { memoryTestEngine } from "@plimsoll/testing";
import type { DistributionAuth } from "../../packages/registry-api/src/distribution/auth-port.ts";
import { openTestDistribution, testAuth } from "../../packages/registry-api/src/fixtures/test-distribution.ts";
import type { ServedRegistry } from "../../packages/registry-api/src/http/served-registry.ts";
import { tempFolder } from "./temp-folder.ts";

export const manifestType = "application/vnd.oci.image.manifest.v1+json";
export const indexType = "application/vnd.oci.image.index.v1+json";

/** A registry to copy from. */
export interface SourceRegistry extends AsyncDisposable {
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The kinds of them. */
export const sourceRegistries = [
  { name: "our own registry", isMissing: false, open: openOwn },
  {
    name: "docker-registry",
    isMissing: spawnSync("sh", ["-c", "command -v docker-registry"]).status !== 0,
    open: openDockerRegistry,
  },
];

/** Pushes to a repository as any client would. */
export function pusher({ host, headers }: SourceRegistry, repository = "alice/app") {
  const send = async (
    method: string,
    url: URL,
    { body, type = "application/octet-stream" }: { readonly body?: string | undefined; readonly type?: string } = {},
  ) => {
    const response = await fetch(url, {
      ...{ method, headers: { ...headers, "content-type": type } },
      body,
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  const at = (path: string) => new URL(path, `http://${host}/v2/${repository}/`);
  const blob = async (content: string) => {
    const begun = await send("POST", at("blobs/uploads/"));
    const place = new URL(begun.headers.get("location") ?? "", begun.url);
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    place.searchParams.set("digest", digest);
    await send("PUT", place, { body: content });
    return { digest, size: content.length };
  };
  const manifest = async (tag: string | undefined, type: string, members: object) => {
    const content = JSON.stringify(members);
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    await send("PUT", at(`manifests/${tag ?? digest}`), { body: content, type });
    return { digest, size: content.length };
  };
  return {
    manifest,
    async image(base: string, layer: string, tag?: string) {
      const config = { ...(await blob("{}")), mediaType: "application/vnd.oci.image.config.v1+json" };
      const layers = [];
      for (const content of [base, layer]) {
        layers.push({ ...(await blob(content)), mediaType: "application/vnd.oci.image.layer.v1.tar" });
      }
      return manifest(tag, manifestType, { schemaVersion: 2, mediaType: manifestType, config, layers });
    },
  };
}

async function openOwn(): Promise<SourceRegistry> {
  const auth = (_app: unknown, { store }: Parameters<typeof testAuthOf>[0]) => testAuthOf({ store });
  const distribution = await openTestDistribution({ engine: memoryTestEngine, auth });
  let isOpen = true;
  return {
    ...{ host: distribution.host, headers: {} },
    async [Symbol.asyncDispose]() {
      if (isOpen) await distribution[Symbol.asyncDispose]();
      isOpen = false;
    },
  };
}

/** Takes every client for alice. */
function testAuthOf({ store }: Pick<ServedRegistry, "store">): DistributionAuth {
  const inner = testAuth(store);
  const auth: DistributionAuth = {
    ...inner,
    at: () => auth,
    identify: (request) => inner.identify({ ...request, authorization: "Bearer alice" }),
  };
  return auth;
}

async function openDockerRegistry(): Promise<SourceRegistry> {
  const folder = tempFolder();
  const host = `127.0.0.1:${await freePort()}`;
  const storage = { filesystem: { rootdirectory: join(folder.path, "registry") } };
  const config = folder.write("registry.json", JSON.stringify({ version: "0.1", storage, http: { addr: host } }));
  const child: ChildProcess = spawn("docker-registry", ["serve", config], { stdio: ["ignore", "ignore", "pipe"] });
  if (child.stderr === null) throw new Error("docker-registry has no output");
  for await (const line of createInterface({ input: child.stderr })) if (line.includes("listening on")) break;
  child.stderr.resume();
  let isOpen = true;
  return {
    ...{ host, headers: {} },
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      child.kill();
      await once(child, "exit");
      folder[Symbol.dispose]();
    },
  };
}

/** A registry of our own to copy from. */
export async function openOwnSource(): Promise<SourceRegistry> {
  const [own] = sourceRegistries;
  if (own === undefined) throw new Error("expected a registry to copy from");
  return own.open();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
