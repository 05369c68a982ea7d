import { readFileSync } from "node:fs";
import type { Admitted } from "@plimsoll/registry/access/principal";
import { describe, expect, it } from "vitest";
import { type CallerName, callers, readGolden } from "../packages/registry-api/src/golden/fixtures/read-golden.ts";
import { registryOperations } from "../packages/registry-api/src/operations.ts";
import { referenceOperations } from "../packages/registry-api/src/reference-profile/compatibility.ts";
import { allSettings, type SettingName, settingGroups } from "../packages/server/src/config/all-settings.ts";
import { admittedTo, permissionsReference, registryReference, withErrorTable } from "./registry-reference.ts";
import { scannerOpenApiDocument, scannerReference } from "./scanner-reference.ts";
import { commandReference, configurationReference } from "./server-reference.ts";

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

describe("withErrorTable", () => {
  it("is the content of docs/reference/errors.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/errors.md", import.meta.url), "utf8");

    expect(withErrorTable(page)).toBe(page);
    expect(page).toContain("\n| `tag_immutable` | 409 | The tag is immutable. |\n");
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

/** Answered by the namespace that the query of the table's example names. */
const judgedByQuery = ["getRepositoryMirrorHealth"];

describe("permissionsReference", () => {
  it("is the content of docs/reference/permissions.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/reference/permissions.md", import.meta.url), "utf8");

    expect(page).toBe(permissionsReference());
  });

  const judgedByMore = [...judgedByPassword, ...judgedByQuery];
  const rows = [...readGolden(), ...readGolden("reference")].filter(({ id }) => !judgedByMore.includes(id));

  it.each(rows)("agrees with the golden table about $id", ({ id, session }) => {
    const operation = [...registryOperations, ...referenceOperations].find((each) => each.id === id);
    if (operation === undefined) throw new Error(`${id} is not declared`);
    const admits = admittedTo(operation);
    const asked = callers.filter((_, index) => session[index] !== "-");

    const expected = asked.filter((caller) => !refused.includes(Number(session[callers.indexOf(caller)])));

    expect(asked.filter((caller) => roles[caller].some((role) => admits.includes(role)))).toEqual(expected);
  });
});

const read = (name: string) => readFileSync(new URL(`../docs/reference/${name}`, import.meta.url), "utf8");

describe("scannerReference", () => {
  it("is the content of docs/reference/scanner-api.md; npm run docs writes it", () => {
    expect(scannerReference()).toBe(read("scanner-api.md"));
  });
});

describe("scannerOpenApiDocument", () => {
  it("is the content of docs/reference/scanner-openapi.json; npm run docs writes it", () => {
    expect(scannerOpenApiDocument()).toBe(read("scanner-openapi.json"));
  });

  it("has no broken reference", () => {
    const text = scannerOpenApiDocument();
    const { schemas } = JSON.parse(text).components;
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] ?? "");

    expect(references.filter((name) => !(name in schemas))).toEqual([]);
  });

  it("requires summaries to describe a package, a distribution or a repository", () => {
    const { components } = JSON.parse(scannerOpenApiDocument());
    const { vulnerability_summaries: summaries, vulnerability_summary: summary } = components.schemas;

    expect(summaries).toMatchObject({ type: "array", items: { $ref: "#/components/schemas/vulnerability_summary" } });
    expect(summary.anyOf).toEqual([
      { required: ["package"] },
      { required: ["distribution"] },
      { required: ["repository"] },
    ]);
    expect(summary.properties).toMatchObject({
      package: { $ref: "#/components/schemas/package" },
      distribution: { $ref: "#/components/schemas/distribution" },
      repository: { $ref: "#/components/schemas/repository" },
    });
  });

  it("declares 429 only where a slot is needed", () => {
    const { paths } = JSON.parse(scannerOpenApiDocument()) as Document;
    const declared = Object.values(paths).flatMap((methods) => Object.values(methods));

    const busy = declared.filter(({ responses }) => "429" in responses);
    expect(busy.map(({ operationId }) => operationId)).toEqual(["indexManifest"]);
  });
});

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Declared>>>>;
}

interface Declared {
  readonly operationId: string;
  readonly responses: object;
}
