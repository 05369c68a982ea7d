import { describe, expect, it } from "vitest";
import { registryOperations } from "./operations.ts";

describe("registryOperations", () => {
  it("have distinct ids, and distinct methods and paths", () => {
    const ids = registryOperations.map(({ id }) => id);
    const paths = registryOperations.map(({ method, path }) => `${method} ${path.replace(/\/$/, "")}`);

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
  });

  it("require a fresh sign-in from users for their secrets and for irreversible changes", () => {
    const fresh = registryOperations.filter(({ freshLogin, access }) => freshLogin && access.scope !== "super:user");

    expect(fresh.map(({ id }) => id).sort()).toEqual([
      "changeUserDetails",
      "convertUserToOrganization",
      "createAppToken",
      "deleteAdminedOrganization",
      "deleteCurrentUser",
      "detachExternalLogin",
      "disableOrganizationTeamSync",
      "enableOrganizationTeamSync",
      "getAppToken",
      "revokeAppToken",
    ]);
  });

  it("require a fresh sign-in from superusers, with a few exceptions", () => {
    const ofSuperusers = registryOperations.filter(({ access }) => access.scope === "super:user");

    expect(
      ofSuperusers
        .filter(({ freshLogin }) => !freshLogin)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      "changeOrganizationQuota",
      "changeOrganizationQuotaLimit",
      "createOrganizationQuota",
      "createOrganizationQuotaLimit",
      "deleteOrganizationQuota",
      "deleteOrganizationQuotaLimit",
      "deleteOrganizationQuotaSuperUser",
      "deleteUserQuotaSuperUser",
      "getGarbage",
      "getJob",
      "getRegistryUsage",
      "getServiceKey",
      "listFeeds",
      "listJobs",
      "listServiceKeys",
      "listSettings",
    ]);
  });
});
