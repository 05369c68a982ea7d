/** Ways into the console and out of it, in the Chromium of this machine: accounts, codes by e-mail, passwords, a directory, identity providers. */
import { type OidcServer, startOidcServer } from "@plimsoll/testing";
import type { BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SmtpSink, startSmtpSink } from "../../packages/registry-api/src/fixtures/smtp-sink.ts";
import { signToken } from "../../packages/server/src/serve/open-services.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { startDirectoryServer } from "../support/directory-server.ts";

const dora = { username: "dora", password: "doras-password" };
const scannerKey = Buffer.from("thirty-two bytes of a shared key");
const resources = new AsyncDisposableStack();

let used: ConsoleBrowser;
let mail: SmtpSink;
/** An identity provider that ends sessions when it is told to, and one that has no page for it. */
let providers: { readonly corp: OidcServer; readonly plain: OidcServer };

beforeAll(async () => {
  mail = resources.use(await startSmtpSink());
  const [corp, plain] = [resources.use(await startOidcServer()), resources.use(await startOidcServer())];
  providers = { corp, plain };
  for (const [name, provider] of Object.entries(providers)) {
    provider.person = { sub: `${name}-1`, preferred_username: `zoe-${name}` };
  }
  plain.hasEndSession = false;
  const person = { uid: dora.username, mail: "dora@example.com", password: dora.password };
  const { ldap } = resources.use(await startDirectoryServer([person]));
  const settingsOf = ({ issuer, clientId, clientSecret }: OidcServer) => ({ issuer, clientId, clientSecret });
  used = resources.use(
    await openConsoleBrowser({
      ...{ mailPort: mail.port, ldap, scannerKey },
      providers: [
        { service: "corp", title: "Corp", ...settingsOf(corp) },
        { service: "plain", title: "Plain", ...settingsOf(plain) },
      ],
    }),
  );
});
afterAll(() => resources.disposeAsync());

/** The address in the message that an address was sent last, once there is one. */
async function linkOfMail(to: string): Promise<string> {
  const find = () =>
    mail.received
      .findLast((each) => each.to.includes(to))
      ?.body.replaceAll("=\r\n", "")
      .match(/http:\S+/)?.[0]
      .replaceAll("=3D", "=");
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

/** Fills the page where people sign in. */
async function giveNameAndPassword(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const isSignedIn = (page: Page, username: string) =>
  page.getByRole("button", { name: username, exact: true }).waitFor();

/** What was asked for before there was an account. */
const asked = "/search?q=a%26b";

describe("the page where people sign in", () => {
  it("leads those who have forgotten their password to a link by e-mail, by which they choose another, and back to what they asked for", async () => {
    await using context = await used.browser.newContext();
    const { page } = await used.open(`/signin?next=${encodeURIComponent(asked)}`, context);

    await page.getByRole("link", { name: "Forgotten password" }).click();
    await page.getByRole("region", { name: "Forgotten password" }).waitFor();
    expect(await page.getByRole("region", { name: "Create an account" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("E-mail address of the account").fill("alice@example.com");
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText("If an account has that address, the link is on its way.").waitFor();
    await page.goto(await linkOfMail("alice@example.com"));
    await page.getByLabel("New password").fill("sesame-again");
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByRole("link", { name: "Sign in" }).click();
    await giveNameAndPassword(page, visitor.username, "sesame-again");

    await isSignedIn(page, visitor.username);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(asked);
  });

  it("leads those who have no account to the form that makes one, by the code of an e-mail to what they asked for", async () => {
    await using context = await used.browser.newContext();
    const { page } = await used.open(`/signin?next=${encodeURIComponent(asked)}`, context);

    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("User name").fill("newcomer");
    await page.getByLabel("E-mail address", { exact: true }).fill("newcomer@example.com");
    expect(await page.getByRole("region", { name: "Forgotten password" }).count()).toBe(0);
    await page.getByLabel("Password").fill("sesame-open");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("A link was sent to its e-mail address").waitFor();
    await page.goto(`${used.server.address}/signin`);
    await giveNameAndPassword(page, "newcomer", "sesame-open");
    await page.getByRole("alert").waitFor(); // the address is not confirmed yet
    await page.goto(await linkOfMail("newcomer@example.com"));
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("newcomer@example.com is your e-mail address.").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await giveNameAndPassword(page, "newcomer", "sesame-open");

    await isSignedIn(page, "newcomer");
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(asked);
  });

  it("lets in those whom a directory has, by LDAP, and refuses another password", async () => {
    await using context = await used.browser.newContext();
    const { page } = await used.open("/signin?next=/account", context);

    await giveNameAndPassword(page, dora.username, dora.password);
    await isSignedIn(page, dora.username);
    await page.getByRole("link", { name: "Settings" }).click();
    await expect
      .poll(() => page.getByRole("textbox", { name: "E-mail address" }).inputValue())
      .toBe("dora@example.com");
    await using other = await used.browser.newContext();
    const { page: refused } = await used.open("/signin", other);
    await giveNameAndPassword(refused, dora.username, "wrong-password");
    await refused.getByRole("alert").waitFor();
  });
});

/** A page of the console, in which a user of a provider has signed in. */
async function signInElsewhere(context: BrowserContext, name: "corp" | "plain"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(used.server.address);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByRole("link", { name: `Sign in with ${name === "corp" ? "Corp" : "Plain"}` }).click();
  await isSignedIn(page, `zoe-${name}`);
  return page;
}

const byMenu = {
  by: "the menu of the user",
  async signOut(page: Page, username: string) {
    await page.getByRole("button", { name: username, exact: true }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  },
};
const byPalette = {
  by: "the palette",
  async signOut(page: Page) {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("sign out");
    await page.getByRole("option", { name: /^Sign out/ }).waitFor();
    await page.keyboard.press("Enter");
  },
};

describe("signing out", () => {
  it.each([byMenu, byPalette])("by $by ends the session of the provider too, and comes back", async ({ signOut }) => {
    const { corp } = providers;
    await using context = await used.browser.newContext();
    const page = await signInElsewhere(context, "corp");
    const told = page.waitForRequest((request) => request.url().startsWith(`${corp.issuer}/logout`));

    await signOut(page, "zoe-corp");

    const { searchParams } = new URL((await told).url());
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: corp.clientId,
      post_logout_redirect_uri: `${used.server.address}/signin`,
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    await page.waitForURL(`${used.server.address}/signin`);
    await page.goto(used.server.address);
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  });

  it("stays in the console where the provider has no page for it", async () => {
    await using context = await used.browser.newContext();
    const page = await signInElsewhere(context, "plain");

    await byMenu.signOut(page, "zoe-plain");

    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    expect(new URL(page.url()).origin).toBe(used.server.address);
    expect(providers.plain.asked).not.toContain("/logout");
  });
});

describe("the explorer of the scanner's API", () => {
  it("tries operations with a token that the scanner's key signs", async () => {
    await using context = await used.browser.newContext();
    const { page, problems } = await used.open("/explorer?view=scanner", context);
    const dialog = page.locator(".modal-ux");
    const operation = page.locator("[id^=operations-][id$=-getIndexState]");
    const answered = operation.locator(".live-responses-table tr.response .response-col_status");

    await page.getByRole("button", { name: "Authorize" }).first().click();
    await dialog.getByRole("textbox").fill(await signToken(scannerKey, "tests", new Date()));
    await dialog.getByRole("button", { name: "Apply credentials" }).click();
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await page.locator(".opblock-tag", { hasText: /^indexer/i }).click();
    await operation.getByRole("button").first().click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    await operation.getByRole("button", { name: "Execute" }).click();

    await expect.poll(() => answered.first().textContent()).toContain("200");
    expect(problems).toEqual([]);
  });
});
