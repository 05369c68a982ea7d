/** Notifications in the console, in the Chromium of this machine: added, tested, delivered, failed, reset and deleted. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";

let used: ConsoleBrowser;
/** What the receiver of webhooks was sent. */
const received: string[] = [];
const receiver = createServer((request, answer) => {
  request.setEncoding("utf8");
  let body = "";
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    received.push(body);
    answer.statusCode = request.url === "/broken" ? 500 : 200;
    answer.end();
  });
});
const addressOf = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  used = await openConsoleBrowser();
  for (const repository of ["app", "empty"]) {
    await api("POST", "/repository", { repository, namespace: "alice", visibility: "private", description: "" });
  }
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
  receiver.close();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("notifications of a repository", () => {
  it("are added, tested and deleted; the secret is shown once, and the history says that the test arrived", async () => {
    const { page, problems } = await used.open("/alice/app?view=notifications");

    await page.getByText("There is no notification yet.").waitFor();
    await page.getByLabel("When").selectOption("vulnerability_found");
    await page.getByLabel("At least this severe").selectOption("High");
    await page.getByLabel("Address to call").fill(addressOf("/hook"));
    await page.getByLabel("Name of the notification").fill("Tell <i>ops</i>");
    await page.getByRole("button", { name: "Add notification" }).click();
    await page
      .getByRole("status")
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole("row", { name: "Tell <i>ops</i> A vulnerability was found Webhook" }).waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByRole("row", { name: "Delivered (test)" }).waitFor();
    await page.getByText("Show", { exact: true }).click();
    await page.getByText('"CVE-0000-0000"').waitFor();
    await page.reload();
    await page.getByRole("row", { name: "Delivered (test)" }).waitFor();
    expect(await page.getByText(/^whsec_/).count()).toBe(0);

    expect(received.some((body) => body.includes("CVE-0000-0000"))).toBe(true);
    const { notifications } = (await api("GET", "/repository/alice/app/notification/")) as {
      readonly notifications: readonly { readonly eventConfig: object }[];
    };
    expect(notifications[0]?.eventConfig).toEqual({ level: 1 });
    await page.getByRole("button", { name: "Delete notification" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete notification" }).click();
    await page.getByText("There is no notification yet.").waitFor();
    expect(problems).toEqual([]);
  });

  it("that fail say what was answered, and are counted from 0 again", async () => {
    const { page } = await used.open("/alice/app?view=notifications");

    await page.getByLabel("Address to call").fill(addressOf("/broken"));
    await page.getByRole("button", { name: "Add notification" }).click();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByRole("row", { name: "Retrying (test)" }).waitFor();
    expect(await page.getByRole("row", { name: "Retrying (test)" }).textContent()).toContain("500");
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: "Reset failures" }).click();

    await page.getByRole("button", { name: "Reset failures" }).waitFor({ state: "detached" });
  });

  it("are not sent to an address that did not agree; what was typed stays", async () => {
    const { page } = await used.open("/alice/empty?view=notifications");

    await page.getByLabel("How").selectOption("E-mail");
    await page.getByLabel("E-mail address").first().fill("bob@example.com");
    await page.getByRole("button", { name: "Add notification" }).click();

    await page.getByRole("alert").getByText("not authorized").waitFor();
    expect(await page.getByLabel("E-mail address").first().inputValue()).toBe("bob@example.com");
    await page.getByText("Ask for consent first.").waitFor();
  });
});
