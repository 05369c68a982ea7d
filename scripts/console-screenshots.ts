/**
 * Writes the screenshots of docs/console: a registry with the image of the demo, in the Chromium of this machine.
 *
 *     npm run screenshots
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultRegistrySettings } from "@plimsoll/registry-api/settings";
import { openScanner } from "@plimsoll/scanner";
import { defaultServiceSettings, startServing } from "@plimsoll/server/serve";
import { pino } from "pino";
import { type BrowserContextOptions, chromium } from "playwright";
import { packImage } from "../examples/demo/pack-image.ts";
import { findChromium } from "./find-chromium.ts";

const root = join(import.meta.dirname, "..");
const demo = join(root, "examples/demo");
const target = join(root, "docs/console");
const work = mkdtempSync(join(tmpdir(), "plimsoll-screenshots-"));
const user = { username: "alice", password: "sesame-open" };

try {
  await loadAdvisories();
  await using server = await serve();
  await fill(server.address);
  mkdirSync(target, { recursive: true });
  for (const colorScheme of ["light", "dark"] as const) await photograph(server.address, { colorScheme });
} finally {
  rmSync(work, { recursive: true });
}

async function loadAdvisories(): Promise<void> {
  const snapshot = join(demo, "snapshot");
  await using scanner = await openScanner({ db: `${work}/plimsoll.db` });
  await scanner.updateFeeds({
    only: ["debian", "osv", "nvd", "epss", "kev"],
    locations: {
      debian: join(snapshot, "debian/tracker.json"),
      osv: join(snapshot, "osv"),
      nvd: join(snapshot, "nvd.json"),
      epss: join(snapshot, "epss.csv"),
      kev: join(snapshot, "kev.json"),
    },
  });
}

function serve() {
  const { host: _, ...settings } = { ...defaultRegistrySettings, superusers: [user.username] };
  const storage = { kind: "files", folder: `${work}/blobs` } as const;
  const registry = { settings, secretFile: `${work}/secret`, storage };
  const database = `sqlite:${work}/plimsoll.db`;
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  return startServing({ ...defaultServiceSettings, port: 0, healthPort: 0, database, registry, updaters: [] }, parts);
}

/** Makes the user, and pushes the image of the demo under three tags. */
async function fill(address: string): Promise<void> {
  const first = JSON.stringify({ ...user, email: "alice@example.com" });
  await send(`${address}/api/v1/user/initialize`, "POST", first, "application/json");
  const layout = join(work, "image");
  await packImage(
    ["base", "upgrade", "app"].map((name) => join(demo, "image", name)),
    layout,
    "shop",
  );
  const blobOf = (digest: string) => readFileSync(join(layout, "blobs/sha256", digest.replace("sha256:", "")));
  const [{ digest, mediaType }] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests;
  const { config, layers } = JSON.parse(String(blobOf(digest)));
  const repository = `${address}/v2/${user.username}/shop`;
  for (const blob of [config, ...layers]) {
    const url = `${repository}/blobs/uploads/?digest=${blob.digest}`;
    await send(url, "POST", blobOf(blob.digest), "application/octet-stream");
  }
  for (const tag of ["1.0", "1.1", "latest"]) {
    await send(`${repository}/manifests/${tag}`, "PUT", blobOf(digest), mediaType);
  }
}

async function send(url: string, method: string, body: string | Uint8Array<ArrayBuffer>, type: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString("base64")}`;
  const answer = await fetch(url, { method, body, headers: { authorization, "content-type": type } });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
}

async function photograph(address: string, { colorScheme }: Required<Pick<BrowserContextOptions, "colorScheme">>) {
  await using browser = await chromium.launch({ executablePath: findChromium() ?? "", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  await page.goto(`${address}/signin`);
  await page.getByLabel("User name").fill(user.username);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const photo = (name: string) => page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) });
  await page.goto(`${address}/alice/shop`);
  await page.getByRole("link", { name: "latest" }).waitFor();
  await photo("tags");
  await page.goto(`${address}/alice/shop:1.1`);
  await page.getByRole("button", { name: /^GHSA-jfh8/ }).click();
  await photo("vulnerabilities");
}
