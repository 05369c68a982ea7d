/** Policies in the console, in the Chromium of this machine: tags that are deleted by themselves, and such that nothing may change. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../support/console-api.ts";
import { type ConsoleBrowser, openConsoleBrowser } from "../support/console-browser.ts";
import { debianImage } from "../support/sample-image.ts";

const image = await debianImage(["zlib1g 1:9 none"]);

let used: ConsoleBrowser;
beforeAll(async () => {
  used = await openConsoleBrowser();
  for (const tag of ["dev-1", "dev-2", "v1"]) await used.server.push(image, "app", tag);
  await used.server.push(image, "fixed", "v1");
  await api("POST", "/organization/", { name: "acme" });
});
afterAll(async () => {
  await used?.[Symbol.asyncDispose]();
});

/** What went wrong, but for the answer that there is no pull gate. */
const serious = (problems: readonly string[]) => problems.filter((each) => !each.includes("404"));

const api = (...call: readonly [string, string, object?]) => callApi(used.signedIn, used.server.address, call);

describe("auto-prune", () => {
  it("shows for every tag what a rule would do and why, before the rule is added", async () => {
    const { page, problems } = await used.open("/alice/app?view=policies&part=pruning");
    const region = page.getByRole("region", { name: "Auto-prune" });

    await region.getByText("No rule deletes tags.").waitFor();
    await region.getByLabel("How many, or how long").fill("1");
    await region.getByLabel("Only tags that this expression selects").fill("^dev-");
    await region.getByRole("button", { name: "Preview rule" }).click();

    await region.getByRole("row", { name: /^dev-1 .* Deleted number 2 of the tags of the new rule$/ }).waitFor();
    await region.getByRole("row", { name: /^dev-2 .* Stays number 1 of the tags of/ }).waitFor();
    await region.getByRole("row", { name: /^v1 .* Stays no rule selects it$/ }).waitFor();
    expect(await region.getByLabel("How many, or how long").inputValue()).toBe("1");
    const { policies } = (await api("GET", "/repository/alice/app/autoprunepolicy/")) as {
      readonly policies: object[];
    };
    expect(policies).toEqual([]);
    expect(serious(problems)).toEqual([]);
  });

  it("says what is wrong with a rule, and keeps it", async () => {
    const { page } = await used.open("/alice/app?view=policies&part=pruning");
    const region = page.getByRole("region", { name: "Auto-prune" });

    await region.getByLabel("Keep").selectOption("creation_date");
    await region.getByLabel("How many, or how long").fill("soon");
    await region.getByRole("button", { name: "Add rule" }).click();

    await region.getByRole("alert").getByText("expected a time such as 7d").waitFor();
    expect(await region.getByLabel("How many, or how long").inputValue()).toBe("soon");
  });

  it.each(["/acme?view=policies", "/alice?view=policies"])("adds a rule and deletes it at %s", async (path) => {
    const { page, problems } = await used.open(path);
    const region = page.getByRole("region", { name: "Auto-prune" });

    await region.getByLabel("Keep").selectOption("creation_date");
    await region.getByLabel("How many, or how long").fill("30d");
    await region.getByRole("button", { name: "Add rule" }).click();
    await region.getByRole("row", { name: "Keep what is newer than 30d all" }).waitFor();
    await page.reload();
    await region.getByRole("button", { name: "Delete rule" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete rule" }).click();

    await region.getByText("No rule deletes tags.").waitFor();
    expect(serious(problems)).toEqual([]);
  });
});

describe("immutable tags", () => {
  it("cannot be deleted until the pattern is", async () => {
    const { page } = await used.open("/alice/fixed?view=policies&part=immutability");
    const region = page.getByRole("region", { name: "Immutable tags" });

    await region.getByLabel("Expression for the name of a tag").fill("^v[0-9]");
    await region.getByRole("button", { name: "Make immutable" }).click();
    await region.getByRole("row", { name: "like ^v[0-9]" }).waitFor();
    await expect(api("DELETE", "/repository/alice/fixed/tag/v1")).rejects.toThrow("immutable");
    await region.getByRole("button", { name: "Delete pattern" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete pattern" }).click();
    await region.getByText("Accounts that may push can change every tag.").waitFor();

    await api("DELETE", "/repository/alice/fixed/tag/v1");
  });

  it("are those of all repositories of an organization, which each of them shows", async () => {
    const { page, problems } = await used.open("/acme?view=policies&part=immutability");
    const region = page.getByRole("region", { name: "Immutable tags" });
    await api("POST", "/repository", { namespace: "acme", repository: "held", visibility: "private", description: "" });

    await region.getByLabel("Expression for the name of a tag").fill("v[0-9]+");
    await region.getByRole("button", { name: "Make immutable" }).click();
    await region.getByRole("row", { name: "like v[0-9]+ Delete pattern" }).waitFor();
    await page.goto(new URL("/acme/held?view=policies&part=immutability", page.url()).href);
    await region.getByRole("row", { name: "like v[0-9]+ from the organization" }).waitFor();
    await page.goBack();
    await region.getByRole("button", { name: "Delete pattern" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete pattern" }).click();

    await region.getByText("Accounts that may push can change every tag.").waitFor();
    expect(serious(problems)).toEqual([]);
  });
});

/** A policy that was stored before the registry bounded patterns: only the answer of the API has it. */
describe("policies whose expression the registry cannot use", () => {
  const policy = { uuid: "1", tagPattern: "(a{99}){99}", tagPatternMatches: true, problem: "it has 9801 instructions" };
  const rule = { ...policy, method: "number_of_tags", value: 3 };

  it.each([
    { api: "autoprunepolicy", answer: { policies: [rule] }, part: "pruning", consequence: "The rule deletes nothing." },
    {
      ...{ api: "immutabilitypolicy", answer: { policies: [policy], inherited: [] }, part: "immutability" },
      consequence: "every tag that is pushed becomes immutable",
    },
  ])("say why, and what follows: $api", async ({ api, answer, part, consequence }) => {
    const { page } = await used.open("/alice/app");
    await page.route(`**/repository/alice%2Fapp/${api}/**`, (route) => route.fulfill({ json: answer }));
    await page.goto(new URL(`/alice/app?view=policies&part=${part}`, page.url()).href);

    const row = page.getByRole("row", { name: /^.*it has 9801 instructions.*$/ });

    await row.getByText(consequence).waitFor();
  });
});
