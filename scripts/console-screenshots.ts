/**
 * Writes the screenshots of docs/console: a registry with the image of the demo, in the installed Chromium.
 * `tests/browser/console-screenshots.browser.test.ts` fails when the console no longer looks like them.
 *
 *     npm run screenshots
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { demoImage, demoUser, openDemoRegistry } from "../examples/demo/demo-registry.ts";
import { findChromium } from "./test-in-browser.ts";

/** The colour scheme of the console. */
export const colorSchemes = ["light", "dark"] as const;

/** A page of the console with a picture in docs/console. */
export interface PhotographedPage {
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state that the picture shows. */
  readonly arrange: (page: Page) => Promise<void>;
}

const repository = `/${demoUser.username}/${demoImage.repository}`;

/** The pages whose pictures are in docs/console. */
export const photographedPages: readonly PhotographedPage[] = [
  {
    name: "home",
    path: "/",
    arrange: (page) => page.getByRole("region", { name: "New vulnerabilities" }).waitFor(), // the first scan finds nothing new
  },
  { name: "tags", path: repository, arrange: (page) => page.getByRole("img").first().waitFor() },
  {
    name: "vulnerabilities",
    path: `${repository}:1.1`,
    arrange: (page) => page.getByRole("button", { name: /^GHSA-jfh8/ }).click(),
  },
  {
    name: "vulnerability",
    path: "/cve/CVE-2021-44228",
    arrange: (page) => page.getByRole("rowheader").first().waitFor(),
  },
];

/** Takes a picture of each page, signed in, in one colour scheme. */
export async function photograph(
  address: string,
  colorScheme: (typeof colorSchemes)[number],
  keep: (name: string, png: Buffer) => Promise<void> | void,
): Promise<void> {
  await using browser: Browser = await chromium.launch({
    executablePath: findChromium() ?? "",
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  await page.goto(`${address}/signin`);
  await page.getByLabel("User name").fill(demoUser.username);
  await page.getByLabel("Password").fill(demoUser.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await waitForCounts(page, `${address}${repository}`);
  for (const { name, path, arrange } of photographedPages) {
    await page.goto(`${address}${path}`);
    await arrange(page);
    await page.waitForLoadState("networkidle");
    await keep(`${name}-${colorScheme}.png`, await page.screenshot());
  }
}

/** Waits until the image, which was just pushed, is scanned. */
async function waitForCounts(page: Page, url: string): Promise<void> {
  for (;;) {
    await page.goto(url);
    await page.getByRole("link", { name: "latest" }).waitFor();
    if ((await page.getByRole("img").count()) > 0) return;
  }
}

if (import.meta.main) {
  const target = join(import.meta.dirname, "../docs/console");
  mkdirSync(target, { recursive: true });
  await using registry = await openDemoRegistry();
  for (const scheme of colorSchemes) {
    await photograph(registry.address, scheme, (name, png) => writeFileSync(join(target, name), png));
  }
}
