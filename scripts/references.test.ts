import { readFileSync } from "node:fs";
import type { Admitted } from "@plimsoll/registry/access/admitted";
import { describe, expect, it } from "vitest";
import { type CallerName, callers, readGolden } from "../packages/registry-api/src/golden/fixtures/read-golden.ts";
import { registryOperations } from "../packages/registry-api/src/operations.ts";
import { allSettings, type SettingName, settingGroups } from "../packages/server/src/config/all-settings.ts";
import { commandReference } from "./command-reference.ts";
import { configurationReference } from "./configuration-reference.ts";
import { admittedTo, permissionsReference } from "./permissions-reference.ts";
import { registryReference } from "./registry-reference.ts";

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

describe("commandReference", () => {
  it("is the content of docs/reference/command-line.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/command-line.md", import.meta.url), "utf8");

    expect(commandReference()).toBe(page);
  });
});

describe("registryReference", () => {
  it("is the content of docs/reference/registry-api.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/registry-api.md", import.meta.url), "utf8");

    expect(page).toBe(registryReference());
  });
});

const user = ["everyone", "visitors", "user"] as const;
const member = [...user, "organization member", "repository read"] as const;
const writer = [...member, "organization creator", "namespace creator", "repository write"] as const;

/** The roles of the callers of the golden table. */
const roles: Readonly<Record<CallerName, readonly Admitted[]>> = {
  anonymous: ["everyone", "visitors"],
  stranger: user,
  reader: [...member, "team member"],
  writer,
  admin: [...writer, "organization admin", "organization sync admin", "repository admin"],
  auditor: [...user, "read-only superuser"],
  root: [...user, "superuser"],
};

const refused = [401, 403];

/** Answered with 403 for a wrong password or without a browser, although the caller of the table is permitted. */
const judgedByPassword = ["signinUser", "retrieveExternalLoginAuthorizationUrl"];

describe("permissionsReference", () => {
  it("is the content of docs/reference/permissions.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/permissions.md", import.meta.url), "utf8");

    expect(page).toBe(permissionsReference());
  });

  it.each(readGolden().filter(({ id }) => !judgedByPassword.includes(id)))(
    "agrees with the golden table about $id",
    ({ id, session }) => {
      const operation = registryOperations.find((each) => each.id === id);
      if (operation === undefined) throw new Error(`${id} is not declared`);
      const admits = admittedTo(operation);
      const asked = callers.filter((_, index) => session[index] !== "-");

      const expected = asked.filter((caller) => !refused.includes(Number(session[callers.indexOf(caller)])));

      expect(asked.filter((caller) => roles[caller].some((role) => admits.includes(role)))).toEqual(expected);
    },
  );
});
