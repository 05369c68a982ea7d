/** `plimsoll report`: the report of an image is read from a running registry with one command. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const basic = Buffer.from(`${firstUser.username}:${firstUser.password}`).toString("base64");
const image = await debianImage(["openssl 3.0.11-1~deb12u1", "zlib 1"]);

let folder: TempFolder;
let registry: RegistryProcess;
let env: Readonly<Record<string, string>>;
let reference = "";
beforeAll(async () => {
  folder = tempFolder();
  const database = `sqlite:${join(folder.path, "registry.db")}`;
  await loadTracker(database, {
    openssl: { "CVE-2024-0001": { fixed: "3.0.11-1~deb12u2", urgency: "high" } },
    zlib: { "CVE-2023-45853": { urgency: "medium" } },
  });
  registry = await startRegistry(folder.path, { database });
  reference = `${registry.host}/${firstUser.username}/app:1`;
  folder.write("docker/config.json", JSON.stringify({ auths: { [registry.host]: { auth: basic } } }));
  env = { DOCKER_CONFIG: join(folder.path, "docker"), REGISTRY_AUTH_FILE: join(folder.path, "docker/config.json") };
  await pushImage(`http://${registry.host}/v2/${firstUser.username}/app`, `Basic ${basic}`, { image, reference: "1" });
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The registry, which says so many times that the image is queued before it says what it found. */
async function registryThatQueues(times: number) {
  let left = times;
  const server = createServer(async ({ url = "", headers }, response) => {
    if (url.includes("/_plimsoll/") && headers.authorization !== undefined && left-- > 0) {
      return void response.end(JSON.stringify({ digest: image.digest, status: "queued" }));
    }
    const { accept = "*/*", authorization } = headers;
    const asked = { accept, ...(authorization && { authorization }) };
    const answer = await fetch(`http://${registry.host}${url}`, { headers: asked });
    const told = ["content-type", "www-authenticate", "docker-content-digest"] as const;
    for (const name of told) if (answer.headers.has(name)) response.setHeader(name, answer.headers.get(name) ?? "");
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    queues: (more: number) => {
      left = more;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const report = (words: readonly string[] = [], how: object = {}) =>
  runPlimsoll(["report", reference, ...words], { env, now: Date.now(), ...how });

describe("plimsoll report", () => {
  it("shows the table of a scan, with the coverage and the age of the data", async () => {
    const { code, stdout, stderr } = await report();

    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain(reference);
    expect(stdout).toContain(image.digest);
    expect(stdout).toContain("distribution: Debian GNU/Linux 12 (bookworm)");
    expect(stdout).toMatch(/CVE-2024-0001 +openssl +3\.0\.11-1~deb12u1 +3\.0\.11-1~deb12u2 +High/);
    expect(stdout).toContain("2 findings (1 High, 1 Medium)");
    expect(stdout).toContain("coverage: complete, 1 of 1 layer read, 2 packages in 1 database");
    expect(stdout).toMatch(/advisories: debian:12 covered by data of \d{4}-\d\d-\d\dT/);
  });

  it("writes the same JSON as a scan of the image", async () => {
    const db = `sqlite:${join(folder.path, "own.db")}`.slice("sqlite:".length);
    const scanned = await runPlimsoll(["scan", `registry:${reference}`, "-q", "-o", "json", "--db", db], { env });

    const { code, stdout } = await report(["-o", "json"]);

    expect(code).toBe(0);
    const { manifest_hash, packages, distributions } = JSON.parse(scanned.stdout);
    expect(JSON.parse(stdout)).toMatchObject({ manifest_hash, packages, distributions });
    expect(Object.values(JSON.parse(stdout).vulnerabilities)).toHaveLength(2);
  });

  it("judges like a scan, also by the age of the data", async () => {
    const found = await report(["--fail-on", "high+,fixable"]);
    const nothing = await report(["--fail-on", "critical"]);
    const old = await report(["--fail-on", "critical"], { now: Date.now() + 8 * 86_400_000 });

    expect(found).toMatchObject({ code: 1, stderr: expect.stringContaining("--fail-on: 1 finding in") });
    expect(nothing).toMatchObject({ code: 0, stderr: "" });
    expect(old).toMatchObject({ code: 4, stderr: expect.stringContaining("more than 7 days ago") });
    expect(old.stderr).toContain("the registry updates it: ask its operator");
    expect(old.stderr).not.toContain("db update");
  });

  it("takes a login from flags, and says who is asked for where there is none", async () => {
    const none = { env: { DOCKER_CONFIG: "/none", REGISTRY_AUTH_FILE: "/none" } };
    const login = ["--username", firstUser.username, "--password-stdin"];

    const asked = await report([], none);
    const given = await report(login, { ...none, stdin: Buffer.from(`${firstUser.password}\n`) });
    const half = await report(["--username", "alice"], none);

    expect(asked).toMatchObject({ code: 3, stderr: expect.stringContaining(`log in to ${registry.host} first`) });
    expect(given).toMatchObject({ code: 0, stderr: "" });
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining("go together") });
  });

  it("waits while the image is queued, for as long as it may", async () => {
    await using slow = await registryThatQueues(2);
    const words = ["report", reference.replace(registry.host, slow.host), "--username", "alice", "--password-stdin"];
    const run = (...more: readonly string[]) =>
      runPlimsoll([...words, "-v", ...more], { env, now: 0, stdin: Buffer.from(firstUser.password) });

    const waited = await run();
    slow.queues(1);
    const refused = await run("--wait", "0");

    expect(waited).toMatchObject({ code: 0, stdout: expect.stringContaining("2 findings") });
    expect(waited.stderr.match(/waiting for its scan/g)).toHaveLength(2);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("is not scanned yet") });
  });

  it("says that an image is missing", async () => {
    const { code, stderr } = await runPlimsoll(["report", reference.replace(/:1$/, ":2")], { env });

    expect(registry.process.crashes).toEqual([]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("check the name and the tag") });
  });
});
