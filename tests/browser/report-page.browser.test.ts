/** The report in HTML in the Chromium of this machine: search, sort, filter and keys; and that hostile texts do nothing. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { toHtml } from "@plimsoll/scanner/formats";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileImages, sampleImage, stamp } from "../../packages/scanner/src/formats/fixtures/sample-images.ts";
import { connectChromium } from "../support/console-browser.ts";

const folder = mkdtempSync(join(tmpdir(), "report-page-"));
let browser: Browser;

beforeAll(async () => {
  browser = await connectChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

interface OpenedPage {
  readonly page: Page;
  /** Errors of the page, and addresses that it asked for besides itself. */
  readonly problems: readonly string[];
}

async function open(image = sampleImage(), options: Parameters<Browser["newPage"]>[0] = {}): Promise<OpenedPage> {
  const file = join(folder, "report.html");
  writeFileSync(file, toHtml(image, stamp));
  const page = await browser.newPage(options);
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => problems.push(message.text()));
  page.on("dialog", (dialog) => problems.push(dialog.message()));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) problems.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  return { page, problems };
}

const shownIds = (page: Page) =>
  page.locator("tbody.finding:visible").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-package")));
const status = (page: Page) => page.getByRole("status").textContent();

describe("the report in a browser", () => {
  it("searches by id, package and path", async () => {
    const { page, problems } = await open();

    await page.keyboard.press("/");
    await page.keyboard.type("dpkg LIBSSL");

    expect(await shownIds(page)).toEqual(["libssl3"]);
    expect(await status(page)).toBe("1 of 3 findings");
    await page.keyboard.press("Escape");
    expect(await status(page)).toBe("3 findings");
    expect(problems).toEqual([]);
  });

  it("filters by severity, fix and exploit, and says so where nothing is left", async () => {
    const { page } = await open();

    const chip = (name: string) => page.getByRole("button", { name });
    await chip("Critical 1").click();
    expect(await shownIds(page)).toEqual(["libssl3"]);
    await chip("Critical 1").click();
    expect(await status(page)).toBe("3 findings");
    await chip("With a fix 1").click();
    expect(await shownIds(page)).toEqual(["libssl3"]);
    await chip("Unknown 2").click();
    expect(await page.getByText("No finding matches.").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Reset" }).click();
    expect(await status(page)).toBe("3 findings");
  });

  it("sorts by a column, both ways", async () => {
    const { page } = await open();
    const head = page.getByRole("button", { name: "Package" });

    await head.click();
    expect(await shownIds(page)).toEqual(["left-pad", "left-pad", "libssl3"]);
    await head.click();
    expect(await shownIds(page)).toEqual(["libssl3", "left-pad", "left-pad"]);
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("descending");
  });

  it("opens the evidence by keys", async () => {
    const { page } = await open();

    await page.keyboard.press("j");
    await page.keyboard.press("Enter");

    expect(await page.locator("details[open] dl").first().textContent()).toContain("Update libssl3 to version");
  });

  it("is a table without JavaScript, with its coverage", async () => {
    const { page } = await open(sampleImage(), { javaScriptEnabled: false });

    expect(await page.locator("tbody.finding:visible").count()).toBe(3);
    expect(await page.getByText("Not everything was assessed.").isVisible()).toBe(true);
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
  });

  it.each([360, 1280])("is no wider than a window of %d pixels", async (width) => {
    const { page } = await open(sampleImage(), { viewport: { width, height: 800 } });

    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });

  it.each(hostileImages)("does nothing that texts with %s say", async (_, image) => {
    const { page, problems } = await open(image);

    expect(await page.locator("tbody.finding").count()).toBe(3);
    expect(await page.locator("img, script").count()).toBe(1);
    expect(problems).toEqual([]);
  });
});
