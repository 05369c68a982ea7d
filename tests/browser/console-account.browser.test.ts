/** Accounts and organizations in the console, in the Chromium of this machine; tabs that disagree. */
import type { BrowserContext } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";

let used: ConsoleBrowser;
/** Of a user who is no superuser. */
let carol: BrowserContext;
let password: string;
beforeAll(async () => {
  used = await openConsoleBrowser();
  const made = await api("POST", "/superuser/users/", { username: "carol" });
  ({ password } = made as { readonly password: string });
  carol = await used.browser.newContext();
  await callApi(carol, used.server.address, ["POST", "/signin", { username: "carol", password }]);
  for (const name of ["acme", "gone"]) await api("POST", "/organization/", { name });
  await api("PUT", "/organization/acme/team/builders", { role: "member" });
  await api("POST", "/repository", { repository: "app", namespace: "acme", visibility: "private", description: "" });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("the account", () => {
  it("keeps another e-mail address, and is told inside the registry what notifications tell, until that is dismissed", async () => {
    const { page, problems } = await used.open("/account?view=settings");

    await page.getByRole("textbox", { name: "E-mail address" }).fill("alice@new.example");
    await page.getByRole("button", { name: "Save e-mail address" }).click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    await expect
      .poll(() => page.getByRole("textbox", { name: "E-mail address" }).inputValue())
      .toBe("alice@new.example");
    const target = { kind: "user", name: "alice" };
    const config = { target };
    const asked = { event: "repo_push", method: "quay_notification", config, eventConfig: {}, title: "t" };
    const { uuid } = (await api("POST", "/repository/acme/app/notification/", asked)) as { readonly uuid: string };
    await api("POST", `/repository/acme/app/notification/${uuid}/test`);
    await page.getByRole("link", { name: "Notices" }).click();
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole("region", { name: "Notices" }).locator("tbody, .empty").waitFor();
        return page.getByRole("rowheader", { name: "A tag was pushed" }).count();
      })
      .toBe(1);
    await page.getByRole("button", { name: "Dismiss" }).click();

    await page.getByText("You have no notices.").waitFor();
    expect(problems).toEqual([]);
  });

  it("is deleted once its name is typed", async () => {
    const made = await api("POST", "/superuser/users/", { username: "dave" });
    const { password } = made as { readonly password: string };
    await using dave = await used.browser.newContext();
    await callApi(dave, used.server.address, ["POST", "/signin", { username: "dave", password }]);
    const { page } = await used.open("/account?view=settings", dave);

    await page.getByRole("button", { name: "Delete account" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill("dave");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete account" }).click();

    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
    await expect(api("GET", "/superuser/users/dave")).rejects.toThrow("404");
  });
});

describe("an organization", () => {
  it("shows its members and collaborators, and takes them out", async () => {
    await api("PUT", "/repository/acme/app/permissions/user/carol", { role: "read" });
    const { page, problems } = await used.open("/acme?view=members");

    await page.getByRole("region", { name: "Members" }).getByRole("row", { name: "alice owners" }).waitFor();
    const region = page.getByRole("region", { name: "Collaborators" });
    await region
      .getByRole("row", { name: "carol app" })
      .getByRole("button", { name: "Remove from organization" })
      .click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove from organization" }).click();

    await region.getByText("No repository is shared").waitFor();
    expect(problems).toEqual([]);
  });

  it("is deleted once its name is typed", async () => {
    const { page } = await used.open("/gone?view=settings");

    await page.getByRole("button", { name: "Delete organization" }).click();
    await page.getByRole("alertdialog").getByRole("textbox").fill("gone");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete organization" }).click();

    await page.waitForURL(`${used.server.address}/account`);
    await page.getByRole("main").getByRole("link", { name: "acme" }).waitFor();
    expect(await page.getByRole("main").getByRole("link", { name: "gone" }).count()).toBe(0);
  });
});

describe("bad input", () => {
  it("says in the second of two tabs that what it changes is gone", async () => {
    const [one, other] = [await used.open("/acme?view=teams"), await used.open("/acme?view=teams")];
    const deletion = async (page: typeof one.page) => {
      await page.getByRole("row", { name: "builders" }).getByRole("button", { name: "Delete team" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete team" }).click();
    };

    await other.page.getByRole("row", { name: "builders" }).waitFor();
    await deletion(one.page);
    await one.page.getByRole("row", { name: "builders" }).waitFor({ state: "detached" });
    await deletion(other.page);

    await other.page.getByRole("alertdialog").getByRole("alert").waitFor();
  });

  it("waits for a slow registry, and says when it fails", async () => {
    const { page } = await used.open("/account");
    await page.getByRole("main").getByRole("link", { name: "acme" }).waitFor();
    let isAnswered = false;
    await page.route("**/api/v1/user/apptoken**", async (route) => {
      await expect.poll(() => isAnswered).toBe(true);
      await route.fulfill({
        status: 503,
        body: JSON.stringify({ detail: "The database is away", title: "unavailable" }),
      });
    });

    await page.getByRole("link", { name: "Tokens" }).click();
    await page.locator("[aria-busy=true]").first().waitFor();
    isAnswered = true;

    await page.getByRole("alert").getByText("The database is away").waitFor({ timeout: 20_000 });
    await page.unroute("**/api/v1/user/apptoken**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("You have no app token.").waitFor();
  });
});
