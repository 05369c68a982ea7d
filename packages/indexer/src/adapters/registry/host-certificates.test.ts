import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, type TLSSocket } from "node:tls";
import { loopbackCertificate } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostCertificates } from "./host-certificates.ts";
import { openRegistryClient } from "./registry-client.ts";

const { cert, key } = loopbackCertificate();
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "certificates-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(place: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  await mkdir(join(folder, place), { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, place, name), content);
}

const find = (host: string, variables: Record<string, string> = {}) =>
  hostCertificates({ variables, homeFolder: join(folder, "home") }, [join(folder, "etc"), join(folder, "docker")])(
    host,
  );

describe("hostCertificates", () => {
  it("trusts what lies in the folder of the host besides the platform's, and shows the certificate that has a key", async () => {
    await put("docker/certs.d/a.example:5000", { "ca.crt": "A", "client.cert": "C", "client.key": "K", README: "" });

    expect(find("a.example:5000")).toEqual({
      ca: [...getCACertificates("default"), "A"],
      clientCertificate: { certificate: "C", key: "K" },
    });
  });

  it.each([
    ["the user's own folder", { home: "home/.config/containers", variables: {} }],
    ["the folder of the environment", { home: "config/containers", variables: { XDG_CONFIG_HOME: "config" } }],
  ])("takes the first folder that there is: %s", async (_, { home, variables }) => {
    await put("docker/certs.d/a.example", { "ca.crt": "docker" });
    const given = Object.fromEntries(Object.entries(variables).map(([name, path]) => [name, join(folder, path)]));
    expect(find("a.example", given)?.ca).toContain("docker");
    await put("etc/certs.d/a.example", { "ca.crt": "etc" });
    expect(find("a.example", given)?.ca).toContain("etc");
    await put(`${home}/certs.d/a.example`, { "client.cert": "C", "client.key": "K" });
    expect(find("a.example", given)).toEqual({ clientCertificate: { certificate: "C", key: "K" } });
  });

  it("knows nothing of other hosts", async () => {
    await put("etc/certs.d/a.example", { "ca.crt": "A" });

    for (const host of ["b.example", "a.example:443", "..", "", ".", "x/../a.example"])
      expect(find(host)).toBeUndefined();
  });

  it("names a certificate that has no key", async () => {
    await put("etc/certs.d/a.example", { "client.cert": "C" });

    expect(() => find("a.example")).toThrow(/a\.example.client\.cert has no key beside it: expected client\.key/);
  });

  it("reaches a registry that asks for a certificate and whose own is of a private authority", async () => {
    const server = createServer({ cert, key, ca: [cert], requestCert: true }, (request, response) => {
      response.end((request.socket as TLSSocket).authorized ? "known" : "unknown");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await put(`etc/certs.d/${host}`, { "ca.crt": cert, "client.cert": cert, "client.key": key });
    await using client = openRegistryClient({ insecure: [], certificates: find, connectMs: 5_000, idleMs: 5_000 });

    const { body } = await client.send({ url: new URL(`https://${host}/v2/`) });

    expect(await text(body)).toBe("known");
    server.close();
  });
});
