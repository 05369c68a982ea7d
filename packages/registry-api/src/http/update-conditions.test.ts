import { engineTitle, longTestEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Call, openTestRegistry, type TestRegistry } from "../fixtures/test-registry.ts";
import { registryOperations } from "../operations.ts";
import { replacedParts } from "./replaced-part.ts";

/** Updates, the operations that read what they replace. */
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

  it("has tags that what changes by itself leaves as they are", () => {
    const tagOf = (answer: object) => parts.get("getRepo")?.tagOf(answer);

    expect(tagOf({ description: "a", tags: { one: {} } })).toBe(tagOf({ tags: {}, description: "a" }));
    expect(tagOf({ description: "a" })).not.toBe(tagOf({ description: "b" }));
    const mirrorTag = (next: string) => parts.get("getRepoMirrorConfig")?.tagOf({ sync_start_date: next });
    expect(mirrorTag("2026-01-01T00:00:00Z")).toBe(mirrorTag("2026-01-02T00:00:00Z"));
  });
});

/** What can be read, changed to what, and how another changes it. */
const rows = [
  { path: "/repository/alice/app", mine: { description: "mine" }, theirs: { description: "theirs" } },
  { path: "/repository/alice/app/pullgate", mine: gate("Low"), theirs: gate("High") },
  { path: "/organization/acme/pullgate", mine: gate("Low"), theirs: gate("High") },
  { path: "/organization/acme", mine: { email: "a@example.com" }, theirs: { email: "b@example.com" } },
  { path: "/user/", mine: { company: "mine" }, theirs: { company: "theirs" } },
];

function gate(severity: string) {
  return { mode: "dry_run", pending: "allow", severity, known_exploited: false, epss: null, only_fixed: true };
}

describe.each(longTestEngines)("an update on $name", (engine) => {
  describe.skipIf(engine.skip !== undefined)(engineTitle(engine), () => {
    let registry: TestRegistry;
    let alice: Call;

    beforeAll(async () => {
      registry = await openTestRegistry({ engine });
      const account = await registry.user("alice");
      await registry.organization("acme", { admin: [account] });
      alice = await registry.session(account);
      await alice("POST", "/repository", { repository: "app", visibility: "private", description: "" });
      for (const { path, theirs } of rows) await alice("PUT", path, theirs);
    });
    afterAll(() => registry?.[Symbol.asyncDispose]());

    it.each(rows)("is made of what was read of $path, and refused once that has changed", async (row) => {
      const { path, mine, theirs } = row;
      const { etag } = (await alice("GET", path)).headers;
      const condition = { "if-match": String(etag) };

      const first = await alice("PUT", path, mine, condition);
      const second = await alice("PUT", path, theirs, condition);
      const now = await alice("GET", path);

      expect(first.status).toBe(200);
      expect(second).toMatchObject({ status: 412, body: { title: "precondition_failed" } });
      expect(now.headers.etag).not.toBe(etag);
      expect(flat(now.body)).toMatchObject(mine);
      expect((await alice("PUT", path, theirs)).status).toBe(200);
    });

    it("of two at a time is made once", async () => {
      const path = "/repository/alice/app";
      const condition = { "if-match": String((await alice("GET", path)).headers.etag) };

      const answers = await Promise.all(
        ["one", "two", "three"].map((description) => alice("PUT", path, { description }, condition)),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    });

    it("of what is not there yet is refused where another was quicker", async () => {
      await alice("DELETE", "/organization/acme/pullgate");
      const [path, onlyNew] = ["/organization/acme/pullgate", { "if-none-match": "*" }] as const;

      const answers = [await alice("PUT", path, gate("Low"), onlyNew), await alice("PUT", path, gate("High"), onlyNew)];

      expect(answers.map(({ status }) => status)).toEqual([200, 412]);
      expect((await alice("DELETE", path, undefined, { "if-match": '"another"' })).status).toBe(412);
    });
  });
});

/** The members of an answer, and of its rules. */
function flat(answer: { readonly rules?: object }): object {
  return { ...answer, ...answer.rules };
}
