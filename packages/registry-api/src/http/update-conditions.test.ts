import { engineTitle, longTestEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HeaderCall, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { registryOperations } from "../operations.ts";
import { replacedParts } from "./replaced-part.ts";

/** Updates, and the operations that read the replaced part. */
const pairs = [
  "updateUserNotification getUserNotification",
  "changeUserDetails getLoggedInUser",
  "updateOrganizationApplication getOrganizationApplication",
  "changeInstallUser getInstallUser",
  "updateServiceKey getServiceKey",
  "changeOrganizationQuota getOrganizationQuota",
  "changeOrganizationQuotaLimit getOrganizationQuotaLimit",
  "changeUserQuotaSuperUser listUserQuotaSuperUser",
  "changeOrganizationQuotaSuperUser listOrganizationQuotaSuperUser",
  "updateOrganizationAutoPrunePolicy getOrganizationAutoPrunePolicy",
  "updateRepositoryAutoPrunePolicy getRepositoryAutoPrunePolicy",
  "updateUserAutoPrunePolicy getUserAutoPrunePolicy",
  "changeOrganizationPullGate getOrganizationPullGate",
  "changeRepositoryPullGate getRepositoryPullGate",
  "changeRepoMirrorConfig getRepoMirrorConfig",
  "changeOrganizationMirror getOrganizationMirror",
  "toggleBuildTrigger getBuildTrigger",
  "updateRepo getRepo",
  "changeUserPermissions getUserPermissions",
  "changeTeamPermissions getTeamPermissions",
  "changeToken getTokens",
  "changeOrganizationDetails getOrganization",
  "changeRepoState getRepo",
  "updateOrganizationPrototypePermission getOrganizationPrototypePermission",
  "updateOrganizationTeam getOrganizationTeam",
  "createUserRobot getUserRobot",
  "createOrgRobot getOrgRobot",
];

describe("replacedParts", () => {
  const parts = replacedParts(registryOperations);

  it("finds what each update replaces", () => {
    const updates = registryOperations.filter(({ method, id }) => method === "PUT" && parts.has(id));

    expect(updates.map(({ id }) => `${id} ${parts.get(id)?.read.id}`).sort()).toEqual([...pairs].sort());
  });

  it("reads by operations that write nothing and need no preparation", () => {
    const reads = [...parts.values()].map(({ read }) => read);

    expect(reads.filter(({ audit, prepare, method }) => audit || prepare || method !== "GET")).toEqual([]);
  });

  it("has tags that do not depend on members that also change without a request", () => {
    const tagOf = (answer: object) => parts.get("getRepo")?.tagOf(answer);

    expect(tagOf({ description: "a", tags: { one: {} } })).toBe(tagOf({ tags: {}, description: "a" }));
    expect(tagOf({ description: "a" })).not.toBe(tagOf({ description: "b" }));
    const mirrorTag = (next: string) => parts.get("getRepoMirrorConfig")?.tagOf({ sync_start_date: next });
    expect(mirrorTag("2026-01-01T00:00:00Z")).toBe(mirrorTag("2026-01-02T00:00:00Z"));
  });
});

const member = "/organization/acme/team/helpers/members/bob";
const prototypes = "/organization/acme/prototypes";
const granted = { role: "read", delegate: { kind: "team", name: "helpers" } };

/** A resource, its change, and the change of another client; with the path of the update if it differs. */
const rows: readonly Row[] = [
  {
    path: "/repository/alice/app",
    update: "/repository/alice/app/changestate",
    mine: { state: "READ_ONLY" },
    theirs: { state: "NORMAL" },
  },
  { path: "/repository/alice/app/permissions/user/bob", mine: { role: "write" }, theirs: { role: "read" } },
  { path: "/repository/acme/shop/permissions/team/helpers", mine: { role: "write" }, theirs: { role: "read" } },
  { path: "/organization/acme/team/helpers", mine: { role: "creator" }, theirs: { role: "member" } },
  { path: "/organization/acme/prototypes/$prototype", mine: { role: "write" }, theirs: { role: "read" } },
  { path: "/repository/alice/app", mine: { description: "mine" }, theirs: { description: "theirs" } },
  { path: "/repository/alice/app/pullgate", mine: gate("Low"), theirs: gate("High") },
  { path: "/organization/acme/pullgate", mine: gate("Low"), theirs: gate("High") },
  { path: "/organization/acme", mine: { email: "a@example.com" }, theirs: { email: "b@example.com" } },
  { path: "/user/", mine: { company: "mine" }, theirs: { company: "theirs" } },
];

interface Row {
  readonly path: string;
  readonly update?: string;
  readonly mine: object;
  readonly theirs: object;
}

function gate(severity: string) {
  return { mode: "dry_run", pending: "allow", severity, known_exploited: false, epss: null, only_fixed: true };
}

/** Requests on what has no version, or nothing that can be read. Each change can be made again and again. */
const conditions: readonly ConditionRow[] = [
  { method: "PUT", path: member, headers: { "if-match": '"stale"' }, status: 412 },
  { method: "PUT", path: member, headers: { "if-match": "*" }, status: 412 },
  { method: "PUT", path: member, headers: { "if-match": '"stale"', "if-none-match": "*" }, status: 412 },
  { method: "PUT", path: member, headers: { "if-none-match": "*" }, status: 200 },
  {
    method: "PUT",
    path: "/organization/acme/team/helpers/members/carol",
    headers: { "if-none-match": '"stale"' },
    status: 200,
  },
  { method: "POST", path: prototypes, body: granted, headers: { "if-match": '"stale"' }, status: 412 },
  { method: "POST", path: prototypes, body: granted, headers: { "if-match": "*" }, status: 201 },
  { method: "POST", path: prototypes, body: granted, headers: { "if-none-match": "*" }, status: 412 },
  { method: "DELETE", path: "/repository/alice/none", headers: { "if-match": '"stale"' }, status: 404 },
  { method: "PUT", path: "/organization/acme/team/none/members/bob", headers: { "if-match": "*" }, status: 404 },
  { method: "GET", path: prototypes, headers: { "if-match": '"stale"' }, status: 412 },
  { method: "GET", path: prototypes, headers: { "if-match": "*" }, status: 200 },
  { method: "GET", path: "/repository/alice/app", headers: { "if-match": '"stale"' }, status: 412 },
  { method: "GET", path: "/repository/alice/app", headers: { "if-match": "*" }, status: 200 },
  { method: "GET", path: "/repository/alice/app", headers: { "if-none-match": "*" }, status: 200 },
];

interface ConditionRow {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly status: number;
}

describe.each(longTestEngines)("an update on $name", (engine) => {
  describe.skipIf(engine.skip !== undefined)(engineTitle(engine), () => {
    let registry: TestRegistry;
    let alice: HeaderCall;
    let prototype: string;

    beforeAll(async () => {
      registry = await openTestRegistry({ engine });
      const account = await registry.user("alice");
      await registry.organization("acme", { admin: [account] });
      alice = await registry.session(account);
      await alice("POST", "/repository", { repository: "app", visibility: "private", description: "" });
      await alice("POST", "/repository", {
        ...{ namespace: "acme", repository: "shop", visibility: "private", description: "" },
      });
      for (const name of ["bob", "carol"]) await registry.user(name);
      for (const name of ["helpers", "others"])
        await alice("PUT", `/organization/acme/team/${name}`, { role: "member" });
      prototype = (await alice("POST", prototypes, granted)).body.id;
      for (const { path, update = path, theirs } of rows) {
        expect((await alice("PUT", at(update), theirs)).status, update).toBe(200);
      }
    });
    afterAll(() => registry?.[Symbol.asyncDispose]());

    const at = (path: string) => path.replace("$prototype", prototype);

    it.each(rows)("is made of what was read of $path, and refused once that has changed", async (row) => {
      const { mine, theirs } = row;
      const [path, update] = [at(row.path), at(row.update ?? row.path)];
      const { etag } = (await alice("GET", path)).headers;
      const condition = { "if-match": String(etag) };

      const first = await alice.with(condition)("PUT", update, mine);
      const second = await alice.with(condition)("PUT", update, theirs);
      const now = await alice("GET", path);

      expect(first.status).toBe(200);
      expect(second).toMatchObject({ status: 412, body: { title: "precondition_failed" } });
      expect(now.headers.etag).not.toBe(etag);
      expect(flat(now.body)).toMatchObject(mine);
      expect((await alice("PUT", update, theirs)).status).toBe(200);
    });

    it.each(conditions)("$method $path with $headers is answered $status", async ({ status, ...asked }) => {
      const answer = await alice.with(asked.headers)(asked.method, asked.path, asked.body);

      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    });

    it("of two at a time is made once", async () => {
      const path = "/repository/alice/app";
      const condition = { "if-match": String((await alice("GET", path)).headers.etag) };

      const answers = await Promise.all(
        ["one", "two", "three"].map((description) => alice.with(condition)("PUT", path, { description })),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    });

    it.each([
      { path: "/repository/alice/app/permissions/user/carol", role: "write" },
      { path: "/repository/acme/shop/permissions/team/others", role: "write" },
      { path: "/organization/acme/team/new", role: "creator" },
    ])("that makes $path alone is refused where it is there", async ({ path, role }) => {
      const onlyNew = { "if-none-match": "*" };

      const first = await alice.with(onlyNew)("PUT", path, { role });
      const second = await alice.with(onlyNew)("PUT", path, { role: "admin" });

      expect(first.status).toBe(200);
      expect(second).toMatchObject({ status: 412, body: { detail: expect.stringContaining("It already exists") } });
      expect((await alice("GET", path)).body.role).toBe(role);
    });

    it("that creates a resource is refused if another one has created it", async () => {
      await alice("DELETE", "/organization/acme/pullgate");
      const [path, onlyNew] = ["/organization/acme/pullgate", { "if-none-match": "*" }] as const;

      const answers = [
        await alice.with(onlyNew)("PUT", path, gate("Low")),
        await alice.with(onlyNew)("PUT", path, gate("High")),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 412]);
      expect((await alice.with({ "if-match": '"another"' })("DELETE", path)).status).toBe(412);
    });
  });
});

/** The members of a response, and of its rules. */
function flat(answer: { readonly rules?: object }): object {
  return { ...answer, ...answer.rules };
}
