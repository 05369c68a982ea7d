/** The console in the visitor's language: the browser's, until another one is chosen. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  const others = Array.from({ length: 2_000 }, (_, index) => `package${index * 7919} ${index} source${index}`);
  await used.server.push(await debianImage(["libssl3 3.0.11-1 openssl", ...others]), "shop", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

/** The context of a visitor who has signed in, and whose browser asks for German. */
async function german() {
  const { cookies } = await used.signedIn.storageState();
  return used.browser.newContext({ locale: "de-AT", storageState: { cookies, origins: [] } });
}

describe("a browser that asks for German", () => {
  it("gets it, for visitors without an account as well, until another language is chosen", async () => {
    await using context = await used.browser.newContext({ locale: "de-AT" });
    const { page, problems } = await used.open("/", context);

    await page.getByRole("link", { name: "Anmelden" }).first().waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("button", { name: "English", exact: true }).click();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();

    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    expect(problems).toEqual([]);
  });

  it("shows numbers and times in it, and the menu changes it", async () => {
    await using context = await german();
    const { page } = await used.open("/alice/shop", context);
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "1.0", exact: true }) });
    await row.waitFor();

    expect(await row.textContent()).toMatch(/\d,\d KiB/);
    expect(await row.getByRole("time").first().textContent()).toMatch(/^(?:jetzt|vor )/);
    await page.getByRole("button", { name: "alice", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await page.getByRole("link", { name: "History", exact: true }).waitFor();
  });

  it.each([
    "/",
    "/alice",
    "/alice/shop",
    "/alice/shop:1.0",
    "/alice/shop?view=settings",
    "/alice/shop?view=policies",
    "/account?view=tokens",
    "/alice?view=robots",
  ])("finds no barrier at %s, and nothing wider than the window", async (path) => {
    await using context = await german();
    const { page } = await used.open(path, context);
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();

    expect(await findBarriers(page)).toEqual([]);
    await page.close();
  });
});
