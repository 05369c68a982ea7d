/** Runs every example as its README describes, with data that needs no network; fails if one fails. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScanner } from "@plimsoll/scanner";
import { packImage } from "./demo/pack-image.ts";

const here = import.meta.dirname;
const work = mkdtempSync(join(tmpdir(), "plimsoll-examples-"));
const image = join(work, "image");
const db = join(work, ".cache", "scan-five-lines.db"); // the default of that example
const tracker = join(here, "demo", "snapshot", "debian", "tracker.json");
const runs = [["match-one-package"], ["custom-detector"], ["scan-five-lines", `oci-dir:${image}`]];
for (const name of ["HOME", "USERPROFILE", "TMPDIR", "TEMP"]) process.env[name] = work;

async function loadAdvisories(): Promise<void> {
  await using scanner = await openScanner({ db, offline: true });
  await scanner.updateFeeds({ only: ["debian"], locations: { debian: tracker } });
}

/** Runs the scanner inside a server, a build that uses it, and a receiver of notifications; serves the layers. */
async function runService(): Promise<void> {
  console.log("# scanner-in-your-server, fail-build-on-critical");
  const blob = (digest: string) => join(image, "blobs", "sha256", digest.slice("sha256:".length));
  const blobs = createServer((request, response) => response.end(readFileSync(blob(request.url?.slice(1) ?? ""))));
  await new Promise<void>((resolve) => blobs.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(blobs.address() as AddressInfo).port}`;
  const server = start("scanner-in-your-server", ["0", db], "pipe");
  try {
    const [printed] = await once(server.stdout ?? server, "data");
    const manifest = join(work, "manifest.json");
    writeFileSync(manifest, JSON.stringify(manifestAt(address, blob)));
    await finish("fail-build-on-critical", [manifest, String(printed).trim()]);
    console.log("# receive-webhook");
    await finish("receive-webhook", [manifest, tracker, join(work, "receive-webhook.db")]);
  } finally {
    server.kill();
    blobs.close();
  }
}

async function finish(name: string, words: readonly string[]): Promise<void> {
  const [status] = await once(start(name, words, "inherit"), "exit");
  if (status !== 0) throw new Error(`${name} ended with exit code ${status}`);
}

function start(name: string, words: readonly string[], stdout: "pipe" | "inherit") {
  const main = join(here, name, "main.ts");
  return spawn(process.execPath, [...process.execArgv, main, ...words], { stdio: ["ignore", stdout, "inherit"] });
}

/** The manifest of the image in the form in which it is submitted. */
function manifestAt(address: string, blob: (digest: string) => string): object {
  const [{ digest: hash }] = JSON.parse(readFileSync(join(image, "index.json"), "utf8")).manifests;
  const layers: readonly { digest: string }[] = JSON.parse(readFileSync(blob(hash), "utf8")).layers;
  return { hash, layers: layers.map(({ digest }) => ({ hash: digest, uri: `${address}/${digest}`, headers: {} })) };
}

/** The files of the clone that are not in git, including ignored ones; empty outside a clone. */
function filesOfClone(): string {
  return spawnSync("git", ["status", "--porcelain", "--ignored"], { cwd: here, encoding: "utf8" }).stdout ?? "";
}

const before = filesOfClone();
try {
  await packImage([join(here, "demo", "image", "base")], image, "debian");
  await loadAdvisories();
  for (const [name = "", ...words] of runs) {
    console.log(`# ${name}`);
    const main = join(here, name, "main.ts");
    const { status } = spawnSync(process.execPath, [...process.execArgv, main, ...words], { stdio: "inherit" });
    if (status !== 0) throw new Error(`${name} ended with exit code ${status}`);
  }
  await runService();
  if (filesOfClone() !== before) throw new Error(`examples left files behind:\n${filesOfClone()}`);
} finally {
  rmSync(work, { recursive: true });
}
