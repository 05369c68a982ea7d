import { readFileSync } from "node:fs";
import type { Admitted } from "@plimsoll/registry/access/admitted";
import { describe, expect, it } from "vitest";
import { type CallerName, callers, readGolden } from "../packages/registry-api/src/golden/fixtures/read-golden.ts";
import { registryOperations } from "../packages/registry-api/src/operations.ts";
import { admittedTo, permissionsReference } from "./permissions-reference.ts";

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
