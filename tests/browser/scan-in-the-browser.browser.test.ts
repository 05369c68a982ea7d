/** The example page in the Chromium of this machine: archives are scanned in it, and nothing leaves it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildImage,
  buildLayer,
  compress,
  dockerArchiveTree,
  ociLayoutTree,
  packTree,
  type Tree,
} from "@plimsoll/testing";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectChromium } from "../support/console-browser.ts";

const root = join(import.meta.dirname, "..", "..");
const main = join(root, "examples", "scan-in-the-browser", "main.ts");
const folder = mkdtempSync(join(tmpdir(), "in-the-browser-"));
const server = spawn(process.execPath, ["--conditions=plimsoll-source", main, "0"], {
  stdio: ["ignore", "pipe", "inherit"],
});
let address = "";
let browser: Browser;
let page: Page;
let requests: string[] = [];

beforeAll(async () => {
  const printed = once(server.stdout, "data");
  browser = await connectChromium();
  address = String((await printed)[0]).trim();
});
afterAll(async () => {
  await browser?.close();
  server.kill();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  requests = [];
  page = await browser.newPage();
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
});

/** The image of the demo: a real Debian's package database. */
async function demoImage() {
  const base = join(root, "examples", "demo", "image", "base");
  const paths = ["usr/lib/os-release", "var/lib/dpkg/status"];
  const files = paths.map((path) => [path, readFileSync(join(base, path))] as const);
  return buildImage({ layers: [await buildLayer(Object.fromEntries(files), "gzip")] });
}

async function save(tree: Tree, compression: "gzip" | "plain" = "plain"): Promise<string> {
  const path = join(folder, "image.tar");
  writeFileSync(path, compress(await packTree(tree), compression));
  return path;
}

const status = () => page.getByRole("status").textContent();
const scanned = async () => {
  await expect.poll(status).not.toMatch(/^(No archive|Scanning)/);
  return status();
};

describe("the page that scans", () => {
  it.each([
    ["what docker save writes", async () => save(dockerArchiveTree({ "demo:1": await demoImage() })), "demo:1"],
    ["an OCI archive", async () => save(ociLayoutTree({ demo: await demoImage() })), "demo"],
    ["a compressed archive", async () => save(ociLayoutTree({ demo: await demoImage() }), "gzip"), "demo"],
  ])("finds the vulnerabilities in %s, and asks no other host", async (_form, make, name) => {
    await page.setInputFiles("input", await make());

    const said = await scanned();
    const [first] = await page.getByRole("row").allTextContents();
    const rows = await page.locator("tbody tr").count();

    expect(said).toMatch(new RegExp(`^${name}: \\d+ packages, ${rows} vulnerabilities$`));
    expect(rows).toBeGreaterThan(10);
    expect(first).toContain("Vulnerability");
    expect(requests.filter((url) => !url.startsWith(address))).toEqual([]);
    expect(requests).toContain(`${address}advisories.gz`);
  });

  it("scans an archive that is dropped on it", async () => {
    const archive = readFileSync(await save(dockerArchiveTree({ "demo:1": await demoImage() })), "base64");
    const dropped = await page.evaluateHandle(`
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.fromBase64(${JSON.stringify(archive)})], "image.tar"));
      transfer`);

    await page.dispatchEvent("#drop", "drop", { dataTransfer: dropped });

    expect(await scanned()).toMatch(/^demo:1: \d+ packages, \d+ vulnerabilities$/);
  });

  it("says what is wrong with what is dropped on it", async () => {
    const dropped = await page.evaluateHandle(`
      const transfer = new DataTransfer();
      transfer.items.add(new File(["no archive at all"], "notes.txt"));
      transfer`);

    await page.dispatchEvent("#drop", "drop", { dataTransfer: dropped });

    expect(await scanned()).toMatch(/^The archive cannot be scanned: expected an archive of images/);
  });
});
