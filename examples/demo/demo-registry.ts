import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { openScanner } from "@plimsoll/scanner";
import { defaultServiceSettings, startServing } from "@plimsoll/server/serve";
import { pino } from "pino";
import { packImage } from "./pack-image.ts";

const here = import.meta.dirname;

/** The account that owns the image. */
export const demoUser = { username: "demo", password: "sesame-open" } as const;

/** The repository and the tags of the image. */
export const demoImage = { repository: "shop", tags: ["1.0", "1.1", "latest"] } as const;

/** A registry with its console, in which the image of the demo is public. It is deleted when it is disposed of. */
export interface DemoRegistry extends AsyncDisposable {
  /** `http://localhost:PORT` */
  readonly address: string;
}

/** Starts a registry with the advisories of the demo and pushes its image. @param port 0 for any free port */
export async function openDemoRegistry(port = 0): Promise<DemoRegistry> {
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-demo-"));
  resources.defer(() => rmSync(folder, { recursive: true }));
  await loadAdvisories(folder);
  const server = resources.use(await serve(folder, port));
  const address = `http://localhost:${new URL(server.address).port}`;
  await fill(folder, address);
  const owned = resources.move();
  return { address, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function loadAdvisories(folder: string): Promise<void> {
  const snapshot = join(here, "snapshot");
  const locations = {
    debian: join(snapshot, "debian/tracker.json"),
    osv: join(snapshot, "osv"),
    nvd: join(snapshot, "nvd.json"),
    epss: join(snapshot, "epss.csv"),
    kev: join(snapshot, "kev.json"),
  };
  await using scanner = await openScanner({ db: join(folder, "plimsoll.db") });
  await scanner.updateFeeds({ only: Object.keys(locations), locations });
}

function serve(folder: string, port: number) {
  const { host: _, ...settings } = { ...defaultRegistrySettings, superusers: [demoUser.username] };
  const storage = { kind: "files", folder: join(folder, "blobs") } as const;
  const registry = { settings, secretFile: join(folder, "secret"), storage };
  const database = `sqlite:${join(folder, "plimsoll.db")}`;
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  return startServing({ ...defaultServiceSettings, port, healthPort: 0, database, registry, updaters: [] }, parts);
}

/** Creates the account, pushes the image under its tags, and makes its repository public. */
async function fill(folder: string, address: string): Promise<void> {
  const account = JSON.stringify({ ...demoUser, email: "demo@example.com", access_token: true });
  const made = await send(`${address}/api/v1/user/initialize`, {
    method: "POST",
    body: account,
    type: "application/json",
  });
  const { access_token: token } = (await made.json()) as { readonly access_token: string };
  const layout = join(folder, "image");
  await packImage(
    ["base", "upgrade", "app"].map((name) => join(here, "image", name)),
    layout,
    "shop",
  );
  const blobOf = (digest: string) => readFileSync(join(layout, "blobs/sha256", digest.replace("sha256:", "")));
  const [{ digest, mediaType }] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests;
  const { config, layers } = JSON.parse(String(blobOf(digest)));
  const name = `${demoUser.username}/${demoImage.repository}`;
  for (const blob of [config, ...layers]) {
    const url = `${address}/v2/${name}/blobs/uploads/?digest=${blob.digest}`;
    await send(url, { method: "POST", body: blobOf(blob.digest), type: "application/octet-stream" });
  }
  for (const tag of demoImage.tags)
    await send(`${address}/v2/${name}/manifests/${tag}`, { method: "PUT", body: blobOf(digest), type: mediaType });
  const visibility = `${address}/api/v1/repository/${name}/changevisibility`;
  await send(visibility, {
    method: "POST",
    body: JSON.stringify({ visibility: "public" }),
    type: "application/json",
    authorization: `Bearer ${token}`,
  });
}

const basic = `Basic ${Buffer.from(`${demoUser.username}:${demoUser.password}`).toString("base64")}`;

interface SentRequest {
  readonly method: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly authorization?: typeof basic;
}

async function send(url: string, { method, body, type, authorization = basic }: SentRequest): Promise<Response> {
  const answer = await fetch(url, { method, body, headers: { authorization, "content-type": type } });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer;
}
