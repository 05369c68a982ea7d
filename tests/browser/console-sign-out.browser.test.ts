/** The end of sessions that began with an identity provider, in the Chromium of this machine. */
import { type OidcServer, startOidcServer } from "@plimsoll/testing";
import type { BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";

let provider: OidcServer;
let used: ConsoleBrowser;
beforeAll(async () => {
  provider = await startOidcServer();
  provider.person = { sub: "zoe-1", preferred_username: "zoe" };
  const { issuer, clientId, clientSecret } = provider;
  used = await openConsoleBrowser({ providers: [{ service: "corp", title: "Corp", issuer, clientId, clientSecret }] });
}, 60_000);
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.hasEndSession = true;
});

/** A page of the console, in which a user of the provider has signed in. */
async function signInElsewhere(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(used.server.address);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByRole("link", { name: "Sign in with Corp" }).click();
  await page.getByRole("button", { name: "zoe", exact: true }).waitFor();
  return page;
}

const ways = [
  {
    by: "the menu of the user",
    async signOut(page: Page) {
      await page.getByRole("button", { name: "zoe", exact: true }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    },
  },
  {
    by: "the palette",
    async signOut(page: Page) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("sign out");
      await page.getByRole("option", { name: /^Sign out/ }).waitFor();
      await page.keyboard.press("Enter");
    },
  },
];

describe("signing out", () => {
  it.each(ways)("by $by ends the session of the provider too, and comes back", async ({ signOut }) => {
    await using context = await used.browser.newContext();
    const page = await signInElsewhere(context);
    const told = page.waitForRequest((request) => request.url().startsWith(`${provider.issuer}/logout`));

    await signOut(page);

    const { searchParams } = new URL((await told).url());
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: provider.clientId,
      post_logout_redirect_uri: `${used.server.address}/signin`,
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    await page.waitForURL(`${used.server.address}/signin`);
    await page.goto(used.server.address);
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  });

  it("stays in the console where the provider has no page for it", async () => {
    provider.hasEndSession = false;
    const told = provider.asked.filter((path) => path === "/logout").length;
    await using fresh = await openConsoleBrowser({
      providers: [
        {
          ...{ service: "corp", title: "Corp", issuer: provider.issuer },
          ...{ clientId: provider.clientId, clientSecret: provider.clientSecret },
        },
      ],
    });
    await using context = await fresh.browser.newContext();
    const page = await context.newPage();
    await page.goto(fresh.server.address);
    await page.getByRole("link", { name: "Sign in" }).first().click();
    await page.getByRole("link", { name: "Sign in with Corp" }).click();

    await ways[0]?.signOut(page);

    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    expect(new URL(page.url()).origin).toBe(fresh.server.address);
    expect(provider.asked.filter((path) => path === "/logout").length).toBe(told);
  });
});
