import { memoryTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestOf } from "../golden/fixtures/examples.ts";
import { firstAdmitted, isEverAdmitted, readGolden } from "../golden/fixtures/read-golden.ts";
import { openWorld, userNames, type World } from "../golden/fixtures/world.ts";
import { registryOperations } from "../operations.ts";
import type { RegistryCompatibility } from "../settings.ts";
import { inRegistryProfile, registryDifferences } from "./compatibility.ts";

/** The differences on which clients of the known implementation depend, written by hand. */
const expected: Readonly<Record<string, { readonly status: number; readonly body?: unknown }>> = {
  createAppToken: { status: 200 },
  regenerateUserRobotToken: { status: 200 },
  regenerateOrgRobotToken: { status: 200 },
  createOrganizationApplication: { status: 200 },
  createOrganizationPrototypePermission: { status: 200 },
  createInstallUser: { status: 200 },
  createServiceKey: { status: 200 },
  changeRepoVisibility: { status: 200 },
  restoreTag: { status: 200, body: {} },
  exportUserLogs: { status: 200 },
  exportOrgLogs: { status: 200 },
  exportRepoLogs: { status: 200 },
  testRepoNotification: { status: 200, body: {} },
  createUserRobot: { status: 201 },
  createOrgRobot: { status: 201 },
  deleteProxyCacheConfig: { status: 201, body: "Deleted" },
  cancelRepoBuild: { status: 201, body: "Okay" },
  syncNow: { status: 204, body: "" },
  syncCancel: { status: 204, body: "" },
  updateRepositoryAutoPrunePolicy: { status: 204, body: "" },
  deleteOrganizationAutoPrunePolicy: { status: 200, body: { uuid: expect.any(String) } },
  deleteRepositoryAutoPrunePolicy: { status: 200, body: { uuid: expect.any(String) } },
  deleteUserAutoPrunePolicy: { status: 200, body: { uuid: expect.any(String) } },
};

/** Differences that depend on the request, and `all`, which belongs to no operation. */
const onRequest = [
  "all",
  "listRepos",
  "getRepoManifestSecurity",
  "changeUserDetails",
  "changeOrganizationDetails",
  "changeOrganization",
];

const golden = readGolden().filter(isEverAdmitted);

describe("registryDifferences", () => {
  it("names each operation whose answer is another, and operations that there are", () => {
    const ids = registryOperations.map(({ id }) => id);
    const listed = registryDifferences.map(({ operation }) => operation);

    expect(listed.filter((id) => id !== "all" && !ids.includes(id))).toEqual([]);
    expect(listed.filter((id) => !onRequest.includes(id)).sort()).toEqual(Object.keys(expected).sort());
  });
});

describe("inRegistryProfile", () => {
  const worlds: Partial<Record<RegistryCompatibility, World>> = {};

  beforeAll(async () => {
    for (const compatibility of ["contract", "reference"] as const) {
      const world = await openWorld(memoryTestEngine, { compatibility });
      world.rehearsal.on = true;
      worlds[compatibility] = world;
    }
  });
  afterAll(async () => {
    for (const world of Object.values(worlds)) await world.registry[Symbol.asyncDispose]();
  });

  async function ask(profile: RegistryCompatibility, operation: (typeof golden)[number], change: Change = {}) {
    const world = worlds[profile];
    if (world === undefined) throw new Error(`there is no world for ${profile}`);
    const caller = change.caller ?? firstAdmitted(operation);
    const { path, body } = requestOf(operation, world, { username: userNames[caller] });
    const call = await world.registry.session(world.accounts[caller]);
    const url = change.query === undefined ? path : `${path.split("?")[0]}${change.query}`;
    return call(operation.method, url, change.body ?? body);
  }

  it.each(golden)("answers $id in both profiles as written", async (operation) => {
    const contract = await ask("contract", operation);
    const reference = await ask("reference", operation);

    const { status = operation.success, ...body } = expected[operation.id] ?? {};
    expect([contract.status, reference.status]).toEqual([operation.success, status]);
    expect(reference).toMatchObject(body);
  });

  it("makes of every operation in the table another declaration, and of no other", () => {
    const changed = registryOperations.filter((each) => inRegistryProfile("reference", each) !== each);
    const listed = new Set(registryDifferences.map(({ operation }) => operation));

    expect(changed.map(({ id }) => id)).toEqual(registryOperations.map(({ id }) => id).filter((id) => listed.has(id)));
    expect(registryOperations.filter((each) => inRegistryProfile("contract", each) !== each)).toEqual([]);
  });

  it.each([
    { id: "listRepos", change: { query: "" }, statuses: [200, 400] },
    { id: "listRepos", change: { query: "?namespace=acme" }, statuses: [200, 200] },
    { id: "changeUserDetails", change: { body: { tag_expiration_s: 7 } }, statuses: [200, 400] },
    { id: "changeUserDetails", change: { body: { tag_expiration_s: 86_400 } }, statuses: [200, 200] },
    { id: "changeOrganizationDetails", change: { body: { tag_expiration_s: 7 } }, statuses: [200, 400] },
    { id: "changeOrganization", change: { body: { tag_expiration_s: 7 } }, statuses: [200, 400] },
  ])("answers $id with $change in the two profiles: $statuses", async ({ id, change, statuses }) => {
    const operation = golden.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`there is no ${id}`);

    const answers = [await ask("contract", operation, change), await ask("reference", operation, change)];

    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  it("describes in each profile what that profile answers", async () => {
    const documentOf = async (profile: RegistryCompatibility) =>
      (await worlds[profile]?.registry.anonymous("GET", "/discovery?internal=true"))?.body.paths;
    const [contract, reference] = [await documentOf("contract"), await documentOf("reference")];

    const at = (paths: typeof contract) => Object.keys(paths["/api/v1/user/apptoken"].post.responses)[0];
    expect([at(contract), at(reference)]).toEqual(["201", "200"]);
  });
});

interface Change {
  readonly caller?: keyof typeof userNames;
  readonly query?: string;
  readonly body?: unknown;
}
