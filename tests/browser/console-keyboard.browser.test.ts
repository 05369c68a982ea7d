/** The console by the keyboard alone, in the Chromium of this machine: no row uses a pointer. */
import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { debianImage } from "../support/sample-image.ts";

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  await used.server.push(await debianImage(["libssl3 3.0.11-1 openssl", "zlib1g 1:1.2.13 zlib"]), "shop", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

/** More than any page has between two things of a journey. */
const mostTabs = 60;

/** What has the focus and does not show it; runs in the page. */
const unseenFocus = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return undefined;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(focused);
  const isSeen = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  return isSeen ? undefined : focused.outerHTML.slice(0, 200);
})()`;

const isFocused = (target: Locator) => target.evaluate((element) => element.matches(":focus"));

/** Goes on with Tab to an element. Fails where it cannot be reached, and where the focus is not seen on the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
    expect(await page.evaluate(unseenFocus)).toBeUndefined();
  }
  throw new Error(`${target} is not reached by Tab`);
}

/** Opens the palette, types a part of what is wanted, and takes it. */
async function goTo(page: Page, text: string, option: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]:focus").waitFor();
  await page.keyboard.type(text);
  const wanted = page.getByRole("option", { name: option }).first();
  await wanted.waitFor();
  for (let steps = 0; (await wanted.getAttribute("aria-selected")) !== "true"; steps++) {
    expect(steps).toBeLessThan(mostTabs);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

describe("by the keyboard alone", () => {
  it("the first Tab leads past the places to the content", async () => {
    const { page } = await used.open("/alice");
    await page.getByRole("link", { name: "shop", exact: true }).waitFor();

    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");

    expect(await page.locator("main :focus").count()).toBe(1);
    await page.close();
  });

  it("a link to another page moves the focus to its content, so that screen readers go on there", async () => {
    const { page } = await used.open("/alice");
    await tabTo(page, page.getByRole("link", { name: "shop", exact: true }));

    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();

    expect(await isFocused(page.locator("#content"))).toBe(true);
    await page.close();
  });

  it("a deleted row leaves the focus in its table, and a comparison has it where it was begun", async () => {
    await used.server.push(await debianImage(["zlib1g 1:1.2.13 zlib"]), "rows", "1.0");
    await used.server.push(await debianImage(["bash 5 bash"]), "rows", "2.0");
    await used.server.push(await debianImage(["curl 8 curl"]), "rows", "3.0");
    const { page } = await used.open("/alice/rows");
    const row = page.getByRole("row", { name: "3.0" });
    await tabTo(page, row.getByRole("button", { name: "Delete tag" }));

    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("alertdialog").getByRole("button", { name: "Delete tag" }));
    await page.keyboard.press("Enter");
    await row.waitFor({ state: "detached" });

    await expect.poll(() => page.locator(".table :focus, .table:focus").count()).toBe(1);
    await page.goto(`${used.server.address}/alice/rows:2.0?view=compare`);
    await tabTo(page, page.getByLabel("Compare with"));
    await page.keyboard.press("ArrowDown");
    expect(new URL(page.url()).search).toBe("?view=compare");
    await tabTo(page, page.getByRole("button", { name: "Compare images" }));
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "bash" }).waitFor();
    expect(await page.locator("main:focus, main :focus").count()).toBe(1);
    await page.goBack();
    await page.getByLabel("Compare with").waitFor();
    await page.close();
  });

  it("a dialog that is closed by Escape gives the focus back", async () => {
    await callApi(used.signedIn, used.server.address, ["POST", "/user/apptoken", { title: "one" }]);
    const { page } = await used.open("/account?view=tokens");
    await tabTo(page, page.getByRole("button", { name: "Revoke token" }).first());

    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });

    expect(await page.locator(":focus").textContent()).toBe("Revoke token");
    await page.close();
  });

  // The last one: who signs out is signed out everywhere.
  it("a visitor signs in, opens a vulnerability, suppresses it, makes a token, and signs out", async () => {
    await using context = await used.browser.newContext();
    const { page, problems, requests } = await used.open("/", context);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const link = (name: string) => page.getByRole("link", { name, exact: true });

    await tabTo(page, link("Sign in").first());
    await page.keyboard.press("Enter");
    await page.getByLabel("User name").waitFor();
    await page.keyboard.type(visitor.username);
    await page.keyboard.press("Tab");
    await page.keyboard.type(visitor.password);
    await page.keyboard.press("Enter");
    await button(visitor.username).waitFor();

    await goTo(page, "shop", "alice/shop");
    await tabTo(page, link("1.0"));
    await page.keyboard.press("Enter");
    await tabTo(page, button("CVE-2024-1"));
    await page.keyboard.press("Enter");
    await tabTo(page, button("Suppress"));
    await page.keyboard.press("Enter");
    const reason = page.getByLabel("Reason");
    await reason.waitFor();
    expect(await isFocused(reason)).toBe(true);
    await page.keyboard.type("not reachable");
    await tabTo(page, page.getByLabel("In which images"));
    await page.keyboard.press("ArrowDown");
    await tabTo(page, button("Suppress vulnerability"));
    await page.keyboard.press("Enter");
    await page.getByText("1 finding is suppressed").waitFor();

    await goTo(page, "account", "Your account");
    await tabTo(page, link("App tokens"));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByLabel("Name of the new token"));
    await page.keyboard.type("laptop");
    await page.keyboard.press("Enter");
    await page.getByText("The user name is $app").waitFor();

    const laptop = page.getByRole("row", { name: "laptop" });
    await tabTo(page, laptop.getByRole("button", { name: "Revoke token" }));
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await tabTo(page, page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }));
    await page.keyboard.press("Enter");
    await laptop.waitFor({ state: "detached" });

    await tabTo(page, button(visitor.username));
    await page.keyboard.press("Enter");
    const signOut = page.getByRole("menuitem", { name: "Sign out" });
    await signOut.waitFor();
    await page.keyboard.press("End");
    const signedIn = requests.length;
    await page.keyboard.press("Enter");
    await link("Sign in").first().waitFor();
    expect(requests.slice(signedIn).filter((each) => each.includes("/user"))).toEqual([]);
    expect(problems).toEqual([]);
  });
});
