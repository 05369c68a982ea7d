/** Images from elsewhere, in the console and the Chromium of this machine: mirrors with their live state, and proxy caches. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, findBarriers, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["zlib1g 1:9 none"]);

let used: ConsoleBrowser;
/** The registry that is copied from: it is the same one. */
let host: string;

beforeAll(async () => {
  used = await openConsoleBrowser();
  host = new URL(used.server.address).host;
  for (const tag of ["v1", "v2", "dev"]) await used.server.push(image, "source", tag);
  await api("POST", "/repository/alice/source/changevisibility", { visibility: "public" });
  for (const repository of ["copy", "bad"]) {
    await api("POST", "/repository", { repository, namespace: "alice", visibility: "private", description: "" });
  }
  await api("PUT", "/user/robots/copier", { description: "" });
  for (const name of ["cache", "follower"]) await api("POST", "/organization/", { name });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("a mirror", () => {
  it("is set up, synchronizes while the page looks, and is changed", async () => {
    const { page, problems } = await used.open("/alice/copy?view=mirror");
    const known = (text: string) => text.includes("404"); // the console asks whether there is a mirror

    await page.getByLabel("Repository to copy from").fill(`${host}/alice/source`);
    await page.getByLabel("Tags to copy").fill("v*, latest");
    await page.getByRole("combobox", { name: "Robot that pushes" }).fill("alice+copier");
    await page.getByLabel("Check the certificate").uncheck();
    await page.getByRole("button", { name: "Make it a mirror" }).click();
    await page.getByRole("button", { name: "Synchronize now" }).click();
    await page.getByRole("status").getByText("In step").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("link", { name: "Tags" }).click();
    await page.getByRole("link", { name: "v2" }).waitFor();
    expect(await page.getByRole("link", { name: "dev" }).count()).toBe(0);
    await page.goBack();
    await page.getByText("Settings of the mirror").click();
    expect(await page.getByLabel("Tags to copy").inputValue()).toBe("v*, latest");
    await page.getByLabel("Synchronize automatically").uncheck();
    await page.getByRole("button", { name: "Save mirror" }).click();

    await page.getByText("Automatic synchronization is off.").waitFor();
    expect(problems.filter((each) => !known(each))).toEqual([]);
  });

  it("says what is wrong with what was typed, and keeps it", async () => {
    const { page } = await used.open("/alice/bad?view=mirror");

    await page.getByLabel("Repository to copy from").fill("https://registry.example/app");
    await page.getByRole("combobox", { name: "Robot that pushes" }).fill("alice+copier");
    await page.getByRole("button", { name: "Make it a mirror" }).click();

    await page.getByRole("alert").getByText("found a scheme").waitFor();
    expect(await page.getByLabel("Repository to copy from").inputValue()).toBe("https://registry.example/app");
  });
});

describe("a proxy cache", () => {
  it("is checked, set up, and ended", async () => {
    const { page } = await used.open("/cache?view=policies&part=cache");
    const region = page.getByRole("region", { name: "Proxy cache" });

    await region.getByLabel("Registry").fill(host);
    await region.getByLabel("Connect without TLS").check();
    await region.getByRole("button", { name: "Check registry" }).click();
    await region.getByRole("status").getByText("The registry answers.").waitFor();
    await region.getByRole("button", { name: "Make it a cache" }).click();
    await region.getByText(`The organization is a cache of ${host}.`).waitFor();
    await page.reload();
    await region.getByText("Images that are not pulled for 24 hours are removed.").waitFor();
    await region.getByRole("button", { name: "End proxy cache" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "End proxy cache" }).click();

    await region.getByRole("button", { name: "Make it a cache" }).waitFor();
  });
});

describe("an organization that follows another registry", () => {
  it("makes mirrors of what a rule names, says what became of the rest, and is stopped", async () => {
    await api("PUT", "/organization/follower/robots/copier", { description: "" });
    const { page } = await used.open("/follower?view=policies&part=mirror");
    const region = page.getByRole("region", { name: "Mirror of another registry" });

    await region.getByLabel("Registry to follow").fill(`${host}/alice`);
    await region.getByLabel("Repositories to mirror").fill("sour*");
    await region.getByRole("combobox", { name: "Robot that pushes" }).fill("follower+copier");
    await region.getByLabel("User name there").fill(visitor.username);
    await region.getByLabel("Password there").fill(visitor.password);
    await region.getByLabel("Check the certificate").uncheck();
    await region.getByRole("button", { name: "Follow registry" }).click();
    await region.getByRole("status").getByText("The catalog was read").waitFor({ timeout: 30_000 });
    await page.reload();
    await region.getByRole("row", { name: /source source Mirrored/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await region.getByText("Settings of the mirror").click();
    expect(await region.getByLabel("Repositories to mirror").inputValue()).toBe("sour*");
    await region.getByLabel("Synchronize automatically").uncheck();
    await region.getByRole("button", { name: "Save mirror" }).click();
    await region.getByText("Automatic synchronization is off.").waitFor();
    await region.getByRole("link", { name: "source" }).click();
    await page.getByRole("region", { name: "Mirror" }).getByText(`${host}/alice/source`).waitFor();
    await page.goBack();
    await region.getByRole("button", { name: "Stop following" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stop following" }).click();

    await region.getByRole("button", { name: "Follow registry" }).waitFor();
  });
});
