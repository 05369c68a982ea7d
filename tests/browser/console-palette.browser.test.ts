/** The command palette of the console, in the Chromium of this machine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  await used.server.push(await debianImage(["zlib1g 1:1.2.13 zlib"]), "shop", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

describe("the command palette", () => {
  it.each(["/", "Control+k"])("opens by %s and closes by Escape, and the focus goes back", async (key) => {
    const { page, problems } = await used.open("/alice");
    const opener = page.getByRole("button", { name: "Search or go to…" });
    await opener.focus();

    await page.keyboard.press(key);
    await page.getByRole("dialog").waitFor();
    const field = page.getByRole("combobox");
    expect(await field.evaluate((element) => element.matches(":focus"))).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    expect(problems).toEqual([]);
  });

  it("leads to a repository by the keyboard alone", async () => {
    const { page } = await used.open("/");
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();

    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("shop");
    await page.getByRole("option", { name: "alice/shop" }).waitFor();
    await page.keyboard.press("Enter");

    await page.waitForURL(`${used.server.address}/alice/shop`);
    await page.getByRole("heading", { name: "shop" }).waitFor();
  });

  it("opens what was typed, if Enter comes before the registry has found it", async () => {
    const { page, problems } = await used.open("/");
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();
    const asked = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    await page.route(/\/find\/all/, async (route) => {
      asked.resolve();
      await entered.promise;
      await route.continue();
    });

    await page.keyboard.press("/");
    await page.getByRole("combobox").fill("alice/sh");
    await asked.promise;
    await page.keyboard.press("Enter");
    entered.resolve();

    await page.waitForURL(`${used.server.address}/alice/shop`);
    expect(problems).toEqual([]);
  });

  it("keeps what is typed before its field is there", async () => {
    const { page } = await used.open("/");
    await page.getByRole("button", { name: "alice", exact: true }).waitFor();
    const asked = Promise.withResolvers<void>();
    const typed = Promise.withResolvers<void>();
    await page.route(/palette-[^/]*\.js$/, async (route) => {
      asked.resolve();
      await typed.promise;
      await route.continue();
    });

    await page.evaluate(typeBeforeFocus);

    await page.keyboard.press("Control+k");
    await asked.promise;
    await page.keyboard.type("alice/sh");
    typed.resolve();

    const field = page.getByRole("combobox");
    await expect.poll(() => field.inputValue()).toBe("alice/sho");
    await page.keyboard.type("p");
    expect(await field.inputValue()).toBe("alice/shop");
  });

  it("tells screen readers which entry Enter opens", async () => {
    const { page } = await used.open("/alice/shop");
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    await page.getByRole("option", { name: "History of this repository" }).waitFor();
    const active = async () => {
      const id = await field.getAttribute("aria-activedescendant");
      return page.locator(`[id="${id}"]`).textContent();
    };

    const before = await active();
    await page.keyboard.press("ArrowDown");

    expect([before, await active()]).toEqual([
      "History of this repository On this page",
      "What is suppressed in this repository On this page",
    ]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await active()).toBe("Sign out Actions");
    expect(await findBarriers(page)).toEqual([]);
  });

  it("searches what it does not know, as text", async () => {
    const { page, problems } = await used.open("/");
    await page.getByRole("button", { name: "Search or go to…" }).waitFor();
    await page.keyboard.press("/");

    await page.getByRole("combobox").fill("<b>nothing</b>");
    await page.getByRole("option", { name: "Search for “<b>nothing</b>”" }).click();

    await page.getByText("Nothing that you can see has “<b>nothing</b>” in its name.").waitFor();
    expect(problems).toEqual([]);
  });
});

/** In the page: presses "o" when the field of the palette is there and has not got the focus yet. */
const typeBeforeFocus = `new MutationObserver((_, observer) => {
  const field = document.querySelector("[role=combobox]");
  if (field === null) return;
  observer.disconnect();
  if (field === document.activeElement) throw new Error("the field has the focus at once");
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "o", bubbles: true }));
}).observe(document, { subtree: true, childList: true })`;
