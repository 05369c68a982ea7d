/** What visitors do in the console who cannot sign in, in the Chromium of this machine: recover a password, make an account. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SmtpSink, startSmtpSink } from "../../packages/registry-api/src/fixtures/smtp-sink.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";

let used: ConsoleBrowser;
let mail: SmtpSink;
beforeAll(async () => {
  mail = await startSmtpSink();
  used = await openConsoleBrowser({ mailPort: mail.port });
}, 60_000);
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

/** The address in the message that was sent last, once there is one. */
async function linkOfMail(): Promise<string> {
  const find = () =>
    mail.received
      .at(-1)
      ?.body.replaceAll("=\r\n", "")
      .match(/http:\S+/)?.[0]
      .replace("=3D", "=");
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  return find() ?? "";
}

describe("the page where people sign in", () => {
  it("leads those who have forgotten their password to a link by e-mail, by which they choose another", async () => {
    await using context = await used.browser.newContext();
    const { page } = await used.open("/signin", context);

    await page.getByRole("link", { name: "Forgotten password" }).click();
    await page.getByRole("region", { name: "Forgotten password" }).waitFor();
    expect(await page.getByRole("region", { name: "Create an account" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel("E-mail address of the account").fill("alice@example.com");
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByText("If an account has that address, the link is on its way.").waitFor();
    await page.goto(await linkOfMail());
    await page.getByLabel("New password").fill("sesame-again");
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByText("Sign in with the new password.").waitFor();
    await page.goto(`${used.server.address}/signin?next=/account`);
    await page.getByLabel("User name").fill(visitor.username);
    await page.getByLabel("Password").fill("sesame-again");
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("button", { name: visitor.username, exact: true }).waitFor();
  });

  it("leads those who have no account to the form that makes one", async () => {
    await using context = await used.browser.newContext();
    const { page } = await used.open("/signin", context);

    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("User name").fill("newcomer");
    await page.getByLabel("E-mail address", { exact: true }).fill("newcomer@example.com");
    expect(await page.getByRole("region", { name: "Forgotten password" }).count()).toBe(0);
    await page.getByLabel("Password").fill("sesame-open");
    await page.getByRole("button", { name: "Create account" }).click();

    await page.getByText("A link was sent to its e-mail address").waitFor();
  });
});
