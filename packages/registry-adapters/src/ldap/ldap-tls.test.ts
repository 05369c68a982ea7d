import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { loopbackCertificate } from "@plimsoll/testing";
import { afterEach, describe, expect, it } from "vitest";
import { ldapDirectory } from "../ldap.ts";
import { elsewhere } from "./fixtures/elsewhere.ts";

/** The address of the server that `scripts/start-service.sh slapd` has started. It also listens with TLS, on the next port. */
const url = process.env.PLIMSOLL_TEST_LDAP ?? "ldap://127.0.0.1:1";
const port = Number(new URL(url).port);
const own = loopbackCertificate().cert.toString();

const login = { bindDn: "cn=admin,dc=example,dc=com", bindPassword: "admin" };
const signIn = { base: "ou=people,dc=example,dc=com" };
const builders = "cn=builders,ou=groups,dc=example,dc=com";

const ways = [
  { way: "StartTLS at an address", at: url },
  { way: "StartTLS at a name", at: `ldap://localhost:${port}` },
  { way: "ldaps at an address", at: `ldaps://127.0.0.1:${port + 1}` },
  { way: "ldaps at a name", at: `ldaps://localhost:${port + 1}` },
];

describe.skipIf(process.env.PLIMSOLL_TEST_LDAP === undefined).each(ways)("ldapDirectory by $way", ({ at }) => {
  it("reads groups and signs users in if a trusted authority has signed the certificate", async () => {
    const directory = ldapDirectory({ url: at, ...login, signIn, authorities: own });

    expect(await directory.listGroup(builders)).toHaveLength(2);
    expect(await directory.authenticate("carol", "carols-password")).toMatchObject({ username: "carol" });
    expect(await directory.authenticate("carol", "wrong")).toBeUndefined();
  });

  it.each([
    { whose: "another authority", authorities: elsewhere.cert },
    { whose: "no authority that Node knows", authorities: undefined },
  ])("sends no password to a server whose certificate is of $whose", async ({ authorities }) => {
    const directory = ldapDirectory({ url: at, ...login, signIn, authorities: authorities || undefined });

    const refused = directory.authenticate("carol", "carols-password");

    await expect(refused).rejects.toMatchObject({
      code: "downstream_issue",
      cause: { message: expect.stringMatching(/certificate/) },
    });
  });
});

describe("ldapDirectory with a server that is not the one it should be", () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server.listen(0));
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  it("refuses the certificate of another host, with ldaps", async () => {
    const heard: Buffer[] = [];
    const at = await listen(createTlsServer(elsewhere, (s) => s.on("data", (data) => heard.push(data))));
    const directory = ldapDirectory({ url: `ldaps://127.0.0.1:${at}`, ...login, signIn, authorities: elsewhere.cert });

    await expect(directory.listGroup(builders)).rejects.toMatchObject({
      cause: { message: expect.stringContaining("does not match") },
    });
    expect(heard).toEqual([]);
  });

  it("sends no password in clear text if the server refuses StartTLS, or does not finish the handshake", async () => {
    const sent: string[] = [];
    for (const status of [2, 0]) {
      const answer = Buffer.from([0x30, 12, 2, 1, 2, 0x78, 7, 10, 1, status, 4, 0, 4, 0]);
      const server = createServer((socket) => {
        socket.on("data", (data) => sent.push(data.toString("latin1"))).once("data", () => socket.write(answer));
        socket.on("error", () => {});
      });
      const at = await listen(server);
      const directory = ldapDirectory({ url: `ldap://127.0.0.1:${at}`, ...login, signIn, patienceMs: 100 });

      await expect(directory.listGroup(builders)).rejects.toMatchObject({ code: "downstream_issue" });
    }

    expect(sent.length).toBeGreaterThanOrEqual(2);
    expect(sent.join("")).not.toContain("cn=admin");
  });
});
