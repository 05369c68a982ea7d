import { loopbackCertificate } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openDirectory } from "./open-identities.ts";

const ldap = { url: "ldaps://directory.example", bindDn: "cn=registry", bindPassword: "3kTMd1" };

describe("openDirectory", () => {
  it("reads authorities from a file, and has none without one", async () => {
    expect((await openDirectory({ ...ldap, caFile: loopbackCertificate().certFile })).service).toBe("ldap");
    expect((await openDirectory(ldap)).service).toBe("ldap");
  });

  it.each([
    { what: "a file that is missing", caFile: "/none/ca.pem", says: "ldapCa: /none/ca.pem" },
    { what: "a key", caFile: loopbackCertificate().keyFile, says: "expected certificates in PEM" },
  ])("refuses $what at the start", async ({ caFile, says }) => {
    await expect(openDirectory({ ...ldap, caFile })).rejects.toThrow(says);
  });
});
