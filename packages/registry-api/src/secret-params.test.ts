import { describe, expect, it } from "vitest";
import { distributionOperations } from "./distribution/operations.ts";
import { registryOperations } from "./operations.ts";
import { pageOperations } from "./pages/register-pages.ts";

/** Names of path parameters that hold what lets the caller in; an id of a token does not. */
const isSecret = (name: string) => /code|secret|password|token(?!_?(?:uu)?id)/i.test(name);

const operations = [...registryOperations, ...distributionOperations, ...pageOperations];
const rows = operations
  .map(({ id, path, secretParams = [] }) => ({ id, names: paramsOf(path).filter(isSecret), secretParams }))
  .filter(({ names, secretParams }) => names.length > 0 || secretParams.length > 0);

describe("secretParams", () => {
  it.each(rows)("are the secret parameters in the path of $id", ({ names, secretParams }) => {
    expect(secretParams).toEqual(names);
  });

  it("are parameters of tokens, invitations and links", () => {
    const ids = [
      "getTokens",
      "changeToken",
      "deleteToken",
      "acceptOrganizationTeamInvite",
      "declineOrganizationTeamInvite",
      "getExportedLog",
    ];

    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
  });
});

function paramsOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
