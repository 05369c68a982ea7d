import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allSettings, type SettingName, settingGroups } from "../packages/server/src/config/all-settings.ts";
import { configurationReference } from "./configuration-reference.ts";

const page = configurationReference();

describe("configurationReference", () => {
  it("is the content of docs/reference/configuration.md; npm run docs writes it", () => {
    expect(page).toBe(readFileSync(new URL("../docs/reference/configuration.md", import.meta.url), "utf8"));
  });

  it.each(Object.keys(allSettings) as SettingName[])("has a section with everything about %s", (name) => {
    const section = page.split(/^### /m).find((each) => each.startsWith(`${name}\n`)) ?? "";

    expect(section).toMatch(/\n\n[A-Z`].{10,}\.\n/);
    for (const part of ["Value", "Default", "Environment", "Example"]) expect(section).toMatch(`\n* ${part}: `);
  });

  it("has every setting in exactly one group", () => {
    expect(settingGroups.flatMap(({ names }) => names)).toEqual(Object.keys(allSettings));
  });
});
