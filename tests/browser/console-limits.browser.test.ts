/** Limits in the console, in the Chromium of this machine: quotas with usage, and what the pull gate refuses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";
import { visitor } from "../support/console-server.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["libssl3 3.0.11-1 openssl"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  await api("POST", "/organization/", { name: "acme" });
  await used.server.push(image, "app", "1.0");
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("quotas", () => {
  it("are set by superusers with limits, show what is used, and are removed", async () => {
    const { page, problems } = await used.open("/alice?view=policies&part=quota");
    const region = page.getByRole("region", { name: "Quota" });

    await region.getByText("There is no quota.").waitFor();
    await region.getByLabel("Quota", { exact: true }).fill("1.5");
    await region.getByLabel("Unit").selectOption("MiB");
    await region.getByRole("button", { name: "Set quota" }).click();
    await region.getByText(/ of 1\.5 MiB used/).waitFor();
    await region.getByLabel("At percent of the quota").fill("80");
    await region.getByRole("button", { name: "Add limit" }).click();
    await region.getByRole("row", { name: "Administrators are warned 80 %" }).waitFor();
    const quotas = (await api("GET", "/user/quota")) as readonly { readonly limit_bytes: number }[];
    expect(quotas.map(({ limit_bytes: bytes }) => bytes)).toEqual([1_572_864]);
    await region.getByRole("button", { name: "Remove limit" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove limit" }).click();
    await region.getByText("Until the quota is used up, nothing is warned of").waitFor();
    await region.getByRole("button", { name: "Remove quota" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove quota" }).click();

    await region.getByText("There is no quota.").waitFor();
    expect(problems).toEqual([]);
  });
});

describe("the pull gate", () => {
  /** How the registry answers a pull of the image. */
  const pull = async () => {
    const { username, password } = visitor;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    const headers = { authorization, accept: image.mediaType };
    return (await fetch(`${used.server.address}/v2/alice/app/manifests/1.0`, { headers })).status;
  };

  it("says what it would refuse before it refuses, and lets exceptions pass", async () => {
    const { page } = await used.open("/alice/app?view=policies");
    const region = page.getByRole("region", { name: "Pull gate" });

    await region.getByText("Every image may be pulled").waitFor();
    await region.getByLabel("Findings count from").selectOption("High");
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await region.getByRole("button", { name: "Save rules" }).click();
    await saved; // loading the page again ends requests that are under way
    await expect
      .poll(async () => {
        await page.reload();
        await region.getByText("What the gates say now").click();
        await region.getByRole("row", { name: /^1\.0/ }).waitFor();
        return region.getByRole("row", { name: /^1\.0/ }).textContent();
      })
      .toContain("would be refused");
    expect(await region.getByRole("row", { name: /^1\.0/ }).textContent()).toContain("CVE-2024-1");
    expect(await pull()).toBe(200);
    await region.getByLabel("What happens").selectOption("enforce");
    await region.getByRole("button", { name: "Save rules" }).click();
    await region.getByRole("row", { name: /^1\.0 is refused/ }).waitFor();
    expect(await pull()).toBe(403);
    await region.getByLabel("Vulnerability (empty: all)").fill("CVE-2024-1");
    await region.getByLabel("Reason").fill("Not <b>reachable</b>");
    await region.getByRole("button", { name: "Add exception" }).click();
    await region.getByRole("row", { name: "CVE-2024-1 Not <b>reachable</b> alice" }).waitFor();
    await region.getByRole("row", { name: /^1\.0 is allowed/ }).waitFor();
    expect(await pull()).toBe(200);
    await region.getByRole("button", { name: "Delete rules" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete rules" }).click();

    await region.getByText("Every image may be pulled").waitFor();
  });
});
