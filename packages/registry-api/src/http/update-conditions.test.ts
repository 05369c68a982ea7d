import { engineTitle, longTestEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HeaderCall, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { registryOperations } from "../operations.ts";
import { operationsIn, referenceOperations } from "../reference-profile/compatibility.ts";
import { canBeRepeated, versionTag } from "./update-conditions.ts";

const everyOperation = [...registryOperations, ...referenceOperations];
const changes = everyOperation.filter(({ method }) => method !== "GET");
const versioned = changes.flatMap(({ version, ...change }) => (version === undefined ? [] : [{ ...change, version }]));

/** The PUT and DELETE operations without a version, by the reason. Each refuses a tag in `If-Match`. */
const withoutVersion = {
  "what it adds or removes never changes": [
    ...["updateOrganizationTeamMember", "deleteOrganizationTeamMember", "inviteTeamMemberEmail"],
    ...["deleteTeamMemberEmailInvite", "acceptOrganizationTeamInvite", "declineOrganizationTeamInvite"],
    ...["deleteStar", "deleteGlobalMessage", "revokeAppToken", "revokeOrganizationApplicationToken"],
    ...["deleteOrganizationImmutabilityPolicy", "deleteRepositoryImmutabilityPolicy", "deleteAssignedAuthorization"],
    ...["removeOrganizationIgnoreRule", "removeOrganizationPullGateException", "removeOrganizationPullGateKey"],
    ...["removeRepositoryIgnoreRule", "removeRepositoryPullGateException", "removeRepositoryPullGateKey"],
  ],
  "it only makes what is not there yet": ["createUserRobot", "createOrgRobot"],
  "it is read only in a list": ["changeTag", "deleteFullTag", "disableOrganizationTeamSync"],
  "the caller may not be able to read all that it changes": ["changeOrganization", "deleteOrganization"],
};

describe("the version of a change", () => {
  it("is declared for every PUT and DELETE, but for those with a reason", () => {
    const without = changes.filter(({ method, version }) => method !== "POST" && version === undefined);

    expect(without.map(({ id }) => id).sort()).toEqual(Object.values(withoutVersion).flat().sort());
  });

  it.each(versioned)("of $id is read by an operation that can be called for it", ({ version, path }) => {
    const paramsOf = (each: string) => each.match(/\{\w+\}/g) ?? [];

    expect(canBeRepeated(version)).toBe(true);
    expect(version.versionMembers).not.toHaveLength(0);
    expect(paramsOf(path)).toEqual(expect.arrayContaining(paramsOf(version.path)));
  });

  it("has all members of the read that the change replaces", () => {
    const missing = versioned.flatMap(({ id, method, body, version }) => {
      const { versionMembers: names = [], result } = version;
      const replaced = method === "PUT" ? namesOf(body).filter((name) => namesOf(result).includes(name)) : [];
      return replaced.filter((name) => !names.includes(name)).map((name) => `${id} ${name}`);
    });

    const moving = ["changeRepoMirrorConfig sync_start_date", "updateOrgMirrorConfig sync_start_date"];
    expect(missing).toEqual(moving); // each synchronization sets the next one
  });

  it("belongs to a read that some change declares", () => {
    const reads = new Set(versioned.map(({ version }) => version.id));

    const unused = everyOperation.filter(({ id, versionMembers }) => versionMembers !== undefined && !reads.has(id));

    expect(unused.map(({ id }) => id)).toEqual([]);
  });

  it.each(["contract", "reference"] as const)(
    "is declared in the profile %s where a read has one at its path",
    (profile) => {
      const operations = operationsIn(profile, registryOperations);
      const read = new Set(
        operations.flatMap(({ path, versionMembers }) => (versionMembers === undefined ? [] : [path])),
      );
      const withReason = Object.values(withoutVersion).flat();

      const without = operations.filter(
        ({ id, method, path, version }) =>
          ["PUT", "DELETE"].includes(method) && read.has(path) && version === undefined && !withReason.includes(id),
      );

      expect(without.map(({ id }) => id)).toEqual([]);
    },
  );

  it.each(["contract", "reference"] as const)("is that of the read which the profile %s has at its path", (profile) => {
    const operations = operationsIn(profile, registryOperations);
    const reads = operations.filter(({ method }) => method === "GET");

    const others = operations.filter(({ version }) => {
      const served = reads.find(({ path }) => path === version?.path);
      return version !== undefined && (served === undefined || served.versionMembers !== version.versionMembers);
    });

    expect(others.map(({ id }) => id)).toEqual([]);
  });
});

describe("versionTag", () => {
  it("does not depend on members that also change without a request", () => {
    const tagOf = (id: string, answer: object) => {
      const read = registryOperations.find((each) => each.id === id);
      return read && versionTag(read, answer);
    };

    expect(tagOf("getRepo", { description: "a", tags: { one: {} } })).toBe(
      tagOf("getRepo", { tags: {}, description: "a" }),
    );
    expect(tagOf("getRepo", { description: "a" })).not.toBe(tagOf("getRepo", { description: "b" }));
    const mirrorTag = (next: string) => tagOf("getRepoMirrorConfig", { sync_start_date: next });
    expect(mirrorTag("2026-01-01T00:00:00Z")).toBe(mirrorTag("2026-01-02T00:00:00Z"));
  });
});

/** The members of an object schema, or of a list's items. */
function namesOf(schema: object | undefined): readonly string[] {
  const { properties = {}, items } = (schema ?? {}) as { readonly properties?: object; readonly items?: object };
  return items === undefined ? Object.keys(properties) : namesOf(items);
}

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
  { method: "PUT", path: member, headers: { "if-none-match": "*" }, status: 412 },
  { method: "DELETE", path: `${member.slice(0, -3)}carol`, headers: { "if-none-match": "*" }, status: 412 },
  { method: "DELETE", path: "/repository/alice/app", headers: { "if-none-match": "*" }, status: 412 },
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
