/** Each program × each way to reach a registry × a name that its settings list and one that they do not. */
import { join } from "node:path";
import {
  loopbackCertificate,
  noLongTests,
  openTransportClient,
  packTree,
  skipNote,
  startRelay,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosign } from "./support/clients/cosign.ts";
import { crane } from "./support/clients/crane.ts";
import { helm } from "./support/clients/helm.ts";
import { notation } from "./support/clients/notation.ts";
import { oras } from "./support/clients/oras.ts";
import { podman } from "./support/clients/podman.ts";
import { regctl } from "./support/clients/regctl.ts";
import type { ClientPlace, ClientProgram } from "./support/clients/registry-client.ts";
import { skopeo } from "./support/clients/skopeo.ts";
import { firstUser } from "./support/registry-process.ts";
import { reverseProxies } from "./support/reverse-proxies.ts";
import { debianImage, writeLayout } from "./support/sample-image.ts";
import { findFreePort, ServiceProcess, type SettingTexts } from "./support/service-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const patienceMs = 60_000;
const certificate = loopbackCertificate();
const trust = { SSL_CERT_FILE: certificate.certFile };
const programs: Readonly<Record<string, ClientProgram>> = {
  crane,
  skopeo,
  oras,
  regctl,
  helm,
  podman,
  cosign,
  notation,
};

/** A way to reach a registry. */
interface Way {
  readonly isMissing?: boolean;
  readonly reach: Pick<ClientPlace, "scheme" | "env">;
  /** Starts a registry, and perhaps something before it. @returns the port for clients */
  open(resources: AsyncDisposableStack, folder: TempFolder): Promise<number>;
}

const tls: SettingTexts = { tlsCertificate: certificate.certFile, tlsKey: certificate.keyFile };
const openTls: Way["open"] = (resources, folder) =>
  startNamed(resources, folder, (port) => ({ ...tls, ...named(port) }));

const ways: Readonly<Record<string, Way>> = {
  HTTP: { reach: { scheme: "http", env: {} }, open: (resources, folder) => startNamed(resources, folder, named) },
  "TLS with HTTP/2": { reach: { scheme: "https", env: trust }, open: openTls },
  "TLS with HTTP/1.1": { reach: { scheme: "https", env: { ...trust, GODEBUG: "http2client=0" } }, open: openTls },
  ...Object.fromEntries(
    reverseProxies.map(({ name, isMissing, open }): [string, Way] => [
      `TLS of ${name}`,
      {
        isMissing,
        reach: { scheme: "https", env: trust },
        async open(resources, folder) {
          const port = await findFreePort();
          const settings = { ...named(port), behindTls: "1", trustedProxies: "127.0.0.1" };
          const target = `127.0.0.1:${await startNamed(resources, folder, () => settings)}`;
          resources.use(await open(join(folder.path, name), target, { port, certificate }));
          return port;
        },
      },
    ]),
  ),
};

const named = (port: number): SettingTexts => ({ registryHosts: `localhost:${port} 127.0.0.1:${port}` });

async function startNamed(
  resources: AsyncDisposableStack,
  folder: TempFolder,
  settings: (port: number) => SettingTexts,
): Promise<number> {
  const data = join(folder.path, "data");
  const service = await ServiceProcess.start((port) => ({ data, offline: "1", ...settings(port) }));
  resources.use(service);
  await service.listening();
  return Number(new URL(service.url).port);
}

describe.each(Object.entries(ways))(`by %s${skipNote(noLongTests)}`, (way, { isMissing = false, reach, open }) => {
  const resources = new AsyncDisposableStack();
  let folder: TempFolder;
  /** Of a name that the registry's settings list, and of one that they do not; for that one, clients are sent to the first of the list. */
  let ports: Readonly<Record<"listed" | "unlisted", number>>;
  beforeAll(async () => {
    folder = resources.use(tempFolder());
    writeLayout(folder, { app: await debianImage(["openssl 3.0.11-1~deb12u1"]) });
    folder.write("layer.tar", await packTree({ "etc/motd": "hello" }));
    if (isMissing || noLongTests !== undefined) return;
    const port = await open(resources, folder);
    const relay = resources.use(await startRelay(port));
    ports = { listed: port, unlisted: relay.port };
    await makeFirstUser(`${reach.scheme}://127.0.0.1:${port}`);
  }, patienceMs);
  afterAll(() => resources.disposeAsync());

  const rows = Object.entries(programs).flatMap(([program, { whyNot, open: openClient }]) =>
    (["listed", "unlisted"] as const).map((name) => ({ program, whyNot, openClient, name })),
  );

  it.for(rows)(
    "$program pushes and pulls by the $name name",
    { timeout: patienceMs },
    async ({ program, whyNot, openClient, name }, { skip }) => {
      const why = noLongTests ?? (isMissing ? `${way} cannot be opened here` : whyNot());
      skip(why !== undefined, why);
      await using own = new AsyncDisposableStack();
      const host = `${program === "notation" ? "127.0.0.1" : "localhost"}:${ports[name]}`; // notation speaks no TLS with localhost
      const files = { archive: join(folder.path, "layer.tar"), layout: join(folder.path, "layout") };
      const client = own.use(await openClient({ folder: own.use(tempFolder()), host, ...reach, ...files }));
      const reference = `${host}/${firstUser.username}/${program}-${name}:1.0.0`;

      const login = await client.login({ username: firstUser.username, secret: firstUser.password });
      expect(login).toMatchObject({ code: 0 });
      await client.push(reference);
      expect(await client.pull(reference)).toMatch(/^sha256:[0-9a-f]{64}$/);
      await client.logout();
      await expect(client.pull(reference)).rejects.toThrow(/unauthorized|access denied|authentication required/i);
    },
  );
});

async function makeFirstUser(origin: string): Promise<void> {
  await using client = openTransportClient(origin.startsWith("https") ? "TLS with HTTP/1.1" : "HTTP/1.1");
  const made = await client.fetch(`${origin}/api/v1/user/initialize`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...firstUser, email: "alice@example.com" }),
  });
  expect(made.status).toBe(200);
}
