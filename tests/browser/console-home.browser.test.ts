/** What needs the visitor, on the first page of the console, in the Chromium of this machine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";
import { settled } from "../support/settled.ts";

const image = await debianImage(["zlib1g 1:9 none"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  await used.server.push(image, "app", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("the home page", () => {
  it("says that nothing needs the visitor", async () => {
    const { page, problems } = await used.open("/");

    await page.getByText("No build, mirror, quota, blob, job or feed needs your attention.").waitFor();
    expect(problems).toEqual([]);
  });

  it("names what needs the visitor, leads there by the keyboard, and asks once for all of it", async () => {
    await api("POST", "/superuser/users/alice/quota", { limit_bytes: 1 });
    await api("POST", "/repository", {
      repository: "copy",
      namespace: "alice",
      visibility: "private",
      description: "",
    });
    await api("PUT", "/user/robots/copier", { description: "" });
    const mirror = {
      external_reference: `${new URL(used.server.address).host}/alice/nothing`,
      robot_username: "alice+copier",
    };
    const rule = { rule_kind: "tag_glob_csv", rule_value: ["*"] };
    const times = { sync_interval: 86_400, sync_start_date: "2050-01-01T00:00:00Z" };
    await api("POST", "/repository/alice/copy/mirror", { ...mirror, ...times, root_rule: rule });
    await api("POST", "/repository/alice/copy/mirror/sync-now");
    used.server.putDeadJob("registry.send-mail", "no such <b>host</b>");
    const { page, problems, requests } = await used.open("/");
    const needs = page.getByRole("region", { name: "Needs your attention" });

    await needs.getByText(/^alice uses .* of 1 B \(\d+ %\): nearly full$/).waitFor();
    await needs.getByText("The job registry.send-mail failed permanently: no such <b>host</b>").waitFor();
    await settled(page);
    expect(requests.filter((url) => url.includes("/api/v1/")).length).toBeLessThanOrEqual(4);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole("heading", { name: "Needs your attention" }).waitFor();
          return needs.getByText(/^The mirror alice\/copy could not be synchronized with/).count();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await needs.getByRole("link", { name: "alice/copy" }).focus();
    await page.keyboard.press("Enter");

    await page.waitForURL("**/alice/copy?view=mirror");
    expect(problems).toEqual([]);
  });

  it("has a view of the repositories that the visitor starred on their pages", async () => {
    const { page, problems } = await used.open("/?view=starred");
    await page.getByText("You have starred no repository.").waitFor();

    await page.goto(`${used.server.address}/alice/app`);
    await page.getByRole("button", { name: "Star", pressed: false }).click();
    await page.getByRole("button", { name: "Star", pressed: true }).waitFor();
    await page.goto(used.server.address);
    await page.getByRole("navigation", { name: "Home" }).getByRole("link", { name: "Starred" }).click();
    await page.getByRole("rowheader", { name: "alice/app" }).getByRole("link").click();
    await page.getByRole("button", { name: "Star", pressed: true }).click();
    await page.getByRole("button", { name: "Star", pressed: false }).waitFor();
    await page.goBack();

    await page.getByText("You have starred no repository.").waitFor();
    expect(problems).toEqual([]);
  });

  it("names feeds that are missing and why, here and among the feeds", async () => {
    await using other = await openConsoleBrowser({ feeds: { alpine: "no-such-folder" } });
    const { page, problems } = await other.open("/");
    const needs = page.getByRole("region", { name: "Needs your attention" });
    await page.getByText("Push your first image").waitFor();
    await needs.waitFor(); // also of a superuser who sees no repository
    await other.server.push(image, "app", "1.0");

    await expect
      .poll(
        async () => {
          await page.reload();
          return needs.textContent();
        },
        { timeout: 60_000, interval: 500 },
      )
      .toContain("The feed alpine is not loaded: there is no file or folder no-such-folder");
    await needs.getByRole("link", { name: "alpine" }).click();
    await page
      .getByRole("row", { name: /^alpine – – – – – Not loaded The last update failed .*: there is no file/ })
      .waitFor();
    await page.getByRole("row", { name: /^debian Advisories .* Up to date Records/ }).waitFor();
    expect(problems).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
  });
});
