import type { RegistryCompatibility } from "@plimsoll/registry/settings";
import { memoryTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { requestOf } from "../golden/fixtures/examples.ts";
import { firstAdmitted, isEverAdmitted, readGolden } from "../golden/fixtures/read-golden.ts";
import { openWorld, userNames, type World } from "../golden/fixtures/world.ts";
import { registryOperations } from "../operations.ts";
import { inRegistryProfile, referenceOperations, registryDifferences } from "./compatibility.ts";

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

/** Answers of operations that have an alias at the same path. */
const aliased: typeof expected = {
  deleteOrganizationImmutabilityPolicy: { status: 200, body: { uuid: expect.any(String) } },
  deleteRepositoryImmutabilityPolicy: { status: 200, body: { uuid: expect.any(String) } },
};

/** A request that the two profiles answer with these statuses, in the contract's and in the reference's. */
interface RequestRow {
  readonly id: string;
  readonly change: Change;
  readonly statuses: readonly [contract: number, reference: number];
  /** The text of the reference's refusal. */
  readonly text?: string;
}

const statusesWithoutBody: Readonly<Record<string, number>> = {
  changeInstallUser: 200,
  changeOrganization: 200,
  changeOrganizationDetails: 200,
  changeOrganizationQuota: 200,
  changeOrganizationQuotaLimit: 200,
  changeOrganizationQuotaSuperUser: 200,
  changeRepoMirrorConfig: 201,
  changeTag: 404,
  changeToken: 200,
  changeUserDetails: 200,
  changeUserQuotaSuperUser: 200,
  createOrganizationQuotaSuperUser: 201,
  createRepositoryAutoPrunePolicy: 201,
  exportOrgLogs: 201,
  exportRepoLogs: 201,
  exportUserLogs: 201,
  requestRepoBuild: 400,
  updateOrganizationPrototypePermission: 200,
  updateRepositoryAutoPrunePolicy: 200,
  updateServiceKey: 200,
  updateUserNotification: 200,
};

const withoutBody = Object.entries(statusesWithoutBody).map(
  ([id, status]): RequestRow => ({ id, change: { body: null }, statuses: [status, 400], text: "Missing JSON body" }),
);

const ofPolicies = ["Organization", "Repository", "User"].flatMap((of) =>
  ["create", "update"].map(
    (verb): RequestRow => ({
      id: `${verb}${of}AutoPrunePolicy`,
      change: { body: { method: "magic", value: 1 } },
      statuses: [400, 400],
      text: "Invalid method provided",
    }),
  ),
);

const ofIssuers = ["createUserRobotFederation", "createOrgRobotFederation"].flatMap((id): readonly RequestRow[] => [
  {
    id,
    change: { body: [{ issuer: "ldap", subject: "x" }] },
    statuses: [400, 400],
    text: "Issuer must be a URL (http:// or https://)",
  },
  {
    id,
    change: { body: [{ issuer: "http://login.example", subject: "x" }] },
    statuses: [400, 400],
    text: 'issuer "http://login.example": expected the address of an issuer, with https://',
  },
]);

const requests: readonly RequestRow[] = [
  { id: "listRepos", change: { query: "" }, statuses: [200, 400] },
  { id: "listRepos", change: { query: "?namespace=acme" }, statuses: [200, 200] },
  { id: "changeUserDetails", change: { body: { tag_expiration_s: 7 } }, statuses: [200, 400] },
  { id: "changeUserDetails", change: { body: { tag_expiration_s: 86_400 } }, statuses: [200, 200] },
  { id: "changeOrganizationDetails", change: { body: { tag_expiration_s: 7 } }, statuses: [200, 400] },
  { id: "changeOrganization", change: { body: { tag_expiration_s: 7 } }, statuses: [200, 400] },
  { id: "listRepoTags", change: { query: "?filter_tag_name=other:a" }, statuses: [400, 200] },
  { id: "listRepoTags", change: { query: "?filter_tag_name=latest" }, statuses: [400, 400] },
  ...withoutBody,
  ...ofPolicies,
  ...ofIssuers,
];

/** Operations with differences that other tests below show, and `all`, which belongs to no operation. */
const shownBelow = [
  "all",
  "getRepoManifestSecurity",
  "createRepositoryImmutabilityPolicy",
  "createOrganizationImmutabilityPolicy",
  "createRepoMirrorConfig",
  "createOrgMirrorConfig", // organization-mirror-operations.test.ts
  "listOrganizationQuota",
  "getOrganizationQuota",
  "listOrganizationQuotaLimit",
  "getOrganizationQuotaLimit",
  "listUserLogs",
  "listOrgLogs",
  "listRepoLogs",
  "listAllLogs",
];

const onRequest = [...shownBelow, ...requests.map(({ id }) => id)];

const golden = readGolden().filter(isEverAdmitted);

describe("registryDifferences", () => {
  it("names each operation whose answer is another, and operations that there are", () => {
    const ids = [...registryOperations, ...referenceOperations].map(({ id }) => id);
    const listed = registryDifferences.map(({ operation }) => operation);

    expect(listed.filter((id) => id !== "all" && !ids.includes(id))).toEqual([]);
    const byRequest = new Set(onRequest);
    const always = new Set(listed.filter((id) => !byRequest.has(id) || id in expected));
    expect([...always].sort()).toEqual(Object.keys(expected).sort());
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
    return call(operation.method, url, change.body === null ? undefined : (change.body ?? body));
  }

  it.each(golden)("answers $id in both profiles as written", async (operation) => {
    const contract = await ask("contract", operation);
    const reference = await ask("reference", operation);

    const { status = operation.success, ...body } = { ...expected, ...aliased }[operation.id] ?? {};
    expect([contract.status, reference.status]).toEqual([operation.success, status]);
    expect(reference).toMatchObject(body);
  });

  it("makes of every operation in the table another declaration, and of no other", () => {
    const changed = registryOperations.filter((each) => inRegistryProfile("reference", each) !== each);
    const listed = new Set(registryDifferences.map(({ operation }) => operation));

    expect(changed.map(({ id }) => id)).toEqual(registryOperations.map(({ id }) => id).filter((id) => listed.has(id)));
    expect(registryOperations.filter((each) => inRegistryProfile("contract", each) !== each)).toEqual([]);
  });

  it.each(requests)(
    "answers $id with $change in the two profiles: $statuses",
    async ({ id, change, statuses, text }) => {
      const operation = golden.find((each) => each.id === id);
      if (operation === undefined) throw new Error(`there is no ${id}`);

      const answers = [await ask("contract", operation, change), await ask("reference", operation, change)];

      expect(answers.map(({ status }) => status)).toEqual(statuses);
      if (text !== undefined) expect(answers[1]?.body).toMatchObject({ error_message: text, detail: text });
    },
  );

  /** The world of the reference profile, where requests change what later ones see. */
  async function changing<Value>(run: (world: World) => Promise<Value>): Promise<Value> {
    const world = worlds.reference;
    if (world === undefined) throw new Error("there is no world");
    world.rehearsal.on = false;
    try {
      return await run(world);
    } finally {
      world.rehearsal.on = true;
    }
  }

  it.each([
    {
      path: "/repository/acme/shown/immutabilitypolicy/",
      body: { tagPattern: "v1" },
      text: "A policy with the same tag_pattern already exists",
    },
    {
      path: "/organization/acme/immutabilitypolicy/",
      body: { tagPattern: "v1" },
      text: "A policy with the same tag_pattern already exists",
    },
  ])("says of the second POST $path what the reference says", async ({ path, body, text }) => {
    const [first, second] = await changing(async ({ registry, accounts }) => {
      const call = await registry.session(accounts.admin);
      return [await call("POST", path, body), await call("POST", path, body)];
    });

    expect([first?.status, second?.status]).toEqual([201, 400]);
    expect(second?.body.error_message).toBe(text);
  });

  it("answers the second mirror configuration of a repository with 409", async () => {
    const operation = golden.find(({ id }) => id === "createRepoMirrorConfig");
    if (operation === undefined) throw new Error("there is no operation");

    const [first, second] = await changing(async () => [
      await ask("reference", operation),
      await ask("reference", operation),
    ]);

    const text = "RepoMirrorConfig already exists for this repository.";
    expect([first?.status, second?.status]).toEqual([201, 409]);
    expect(second?.body).toMatchObject({ status: 409, detail: text, error_message: text });
  });

  it("reads the quota limit of a user where a superuser has set it", async () => {
    const [limit, shown, listed, others] = await changing(async ({ registry, accounts }) => {
      const [root, stranger] = [await registry.session(accounts.root), await registry.session(accounts.stranger)];
      const { username } = accounts.stranger;
      await root("POST", `/superuser/users/${username}/quota`, { limit_bytes: 1000 });
      const [quota] = (await root("GET", `/superuser/users/${username}/quota`)).body;
      const path = `/organization/${username}/quota/${quota.id}`;
      await root("POST", `${path}/limit`, { type: "Warning", threshold_percent: 50 });
      const [first] = (await root("GET", `${path}/limit`)).body;
      return [
        first,
        await root("GET", `${path}/limit/${first?.id}`),
        await root("GET", path),
        await stranger("GET", path),
      ];
    });

    expect(limit).toMatchObject({ type: "Warning", limit_percent: 50 });
    expect([shown.status, listed.status, others.status]).toEqual([200, 200, 404]);
  });

  it("shows entries of jobs without performer, with null as ip", async () => {
    const { body } = await changing(async ({ registry, accounts }) => {
      const entry = {
        namespace_id: accounts.stranger.id,
        repository_id: null,
        performer_id: null,
        performer_name: null,
      };
      const told = { kind: "delete_tag" as const, ip: null, metadata: "{}", at: registry.time.now };
      await registry.store.db
        .insertInto("usage_log")
        .values({ ...entry, ...told })
        .execute();
      return (await registry.session(accounts.stranger))("GET", "/user/logs");
    });

    const [logged] = body.logs.filter(({ kind }: { readonly kind: string }) => kind === "delete_tag");
    expect(logged).toMatchObject({ ip: null, namespace: { kind: "user" } });
    expect(logged).not.toHaveProperty("performer");
  });

  it.each([
    { compatibility: "contract", status: 400 },
    { compatibility: "reference", status: 200 },
  ] as const)("lets somebody sign up as superuser in the profile $compatibility: $status", async (row) => {
    await using registry = await openTestRegistry({ settings: { compatibility: row.compatibility } });

    const answer = await registry.anonymous("POST", "/user/", { username: "root", password: "correct-horse-battery" });

    expect(answer.status).toBe(row.status);
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
  /** Null: none. */
  readonly body?: unknown;
}
