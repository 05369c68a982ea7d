/** Usage logs in the console, in the Chromium of this machine: drawn, as a table, filtered by the address, and exported. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";

let used: ConsoleBrowser;
/** What the receiver of exports was told. */
const told: string[] = [];
const receiver = createServer((request, answer) => {
  request.setEncoding("utf8");
  request.on("data", (text: string) => told.push(text));
  request.on("end", () => answer.end());
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  used = await openConsoleBrowser();
  await api("POST", "/organization/", { name: "acme" });
  for (const repository of ["one", "two"]) {
    await api("POST", "/repository", { repository, namespace: "acme", visibility: "private", description: "" });
  }
  await api("PUT", "/organization/acme/robots/ci", { description: "" });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
  receiver.close();
});

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("the usage log of an organization", () => {
  it("is drawn by day, has a table behind, and shows one kind alone; the address keeps that", async () => {
    const { page, problems } = await used.open("/acme?view=logs");

    await page.getByRole("button", { name: "create repo 2" }).click();
    await page.getByRole("img", { name: "2 entries in 7 days." }).waitFor();
    await page.reload();
    await page.getByRole("img", { name: "2 entries in 7 days." }).waitFor();
    expect(new URL(page.url()).searchParams.get("kind")).toBe("create_repo");
    await page.getByText("Show as a table").click();
    const days = page.getByRole("figure").getByRole("row");
    expect(await days.count()).toBe(1 + 7);
    expect(await days.last().getByRole("cell").textContent()).toBe("2");
    expect(await page.getByRole("rowheader", { name: "create repo" }).count()).toBe(2);
    expect(await page.getByRole("rowheader", { name: "create robot" }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("has the entries of an actor and of a repository, as the address says", async () => {
    const { page } = await used.open("/acme?view=logs&by=alice&repository=two");

    await page.getByRole("rowheader", { name: "create repo" }).waitFor();
    expect(await page.getByRole("table").last().getByRole("rowheader").count()).toBe(1);
    await page.getByLabel("Done by").fill("bob");
    await page.getByText("Nothing was logged in these days.").waitFor();
  });

  it("has other days where the address says so, and says that nothing was logged in them", async () => {
    const { page } = await used.open("/acme?view=logs");

    await page.getByLabel("From", { exact: true }).fill("2020-01-01");
    await page.getByLabel("To", { exact: true }).fill("2020-01-03");

    await page.getByText("Nothing was logged in these days.").waitFor();
    expect(new URL(page.url()).search).toContain("from=2020-01-01&to=2020-01-03");
  });

  it("has its entries without a chart where the days are too many to be counted", async () => {
    const { page } = await used.open("/acme?view=logs&from=2020-01-01&to=2020-06-01");

    await page.getByText("The chart is drawn for 31 days at most.").waitFor();
  });

  it("is exported, and a program is told where the file is", async () => {
    const { page } = await used.open("/acme?view=logs");

    const { port } = receiver.address() as AddressInfo;
    await page.getByLabel("Address to call").fill(`http://127.0.0.1:${port}/done`);
    await page.getByRole("button", { name: "Export log" }).click();

    await page.getByRole("status").getByText("has started").waitFor();
    await expect.poll(() => told.join("")).toContain("/exportedlogs/");
  });
});
