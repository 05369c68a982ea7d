import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineName, formatEngineAddress } from "./engine-address.ts";
import { hostEngines } from "./host-engines.ts";

let folder = "";
const sockets: Server[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hosts-"));
  await write("certs/ca.pem", "CA");
  await write("certs/cert.pem", "CERT");
  await write("certs/key.pem", "KEY");
  await write("half/cert.pem", "CERT");
  await write("docker/config.json", JSON.stringify({ currentContext: "far" }));
  const id = createHash("sha256").update("far").digest("hex");
  const host = { Endpoints: { docker: { Host: "tcp://far.example:2376", SkipTLSVerify: true } } };
  await write(`docker/contexts/meta/${id}/meta.json`, JSON.stringify(host));
  await write(`docker/contexts/tls/${id}/docker/ca.pem`, "CA");
  await write("broken/config.json", "{");
  for (const path of [
    "run/docker.sock",
    "user/podman/podman.sock",
    "home/.docker/run/docker.sock",
    "k3s/k3s/containerd/containerd.sock",
  ])
    await listen(path);
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

async function listen(name: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  const server = createServer();
  sockets.push(server);
  await new Promise<void>((resolve) => server.listen(join(folder, name), resolve));
}

/** Values that begin with `/` are in the folder of the test. */
function find(engine: EngineName, variables: Readonly<Record<string, string>>, systemFolder = "run") {
  const given = Object.entries(variables).map(([name, value]) => [
    name,
    value.startsWith("/") ? join(folder, value) : value,
  ]);
  const host = { variables: Object.fromEntries(given), homeFolder: join(folder, "home") };
  return hostEngines(host, join(folder, systemFolder)).find(engine);
}

describe("hostEngines", () => {
  it.each([
    ["docker", { DOCKER_HOST: "unix:///x/docker.sock" }, "unix:///x/docker.sock"],
    ["docker", { DOCKER_HOST: "tcp://engine" }, "http://engine:2375"],
    [
      "docker",
      { DOCKER_HOST: "tcp://engine", DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: "/certs" },
      "https://engine:2376",
    ],
    ["docker", { DOCKER_CONFIG: "/docker" }, "https://far.example:2376"],
    ["docker", { DOCKER_HOST: "tcp://engine:1", DOCKER_CONFIG: "/docker" }, "http://engine:1"],
    ["docker", { DOCKER_CONFIG: "/docker", DOCKER_CONTEXT: "default" }, "unix://FOLDER/run/docker.sock"],
    ["docker", {}, "unix://FOLDER/run/docker.sock"],
    ["podman", { CONTAINER_HOST: "unix:///x/podman.sock", DOCKER_HOST: "tcp://engine" }, "unix:///x/podman.sock"],
    ["podman", { XDG_RUNTIME_DIR: "/user" }, "unix://FOLDER/user/podman/podman.sock"],
    ["containerd", { CONTAINERD_ADDRESS: "unix:///x/containerd.sock" }, "unix:///x/containerd.sock"],
    ["containerd", { CONTAINERD_ADDRESS: "/x/containerd.sock" }, "unix://FOLDER/x/containerd.sock"],
  ] as const)("finds %s by %j", async (engine, variables, address) => {
    const found = formatEngineAddress(await find(engine, variables));

    expect(found.replace(folder, "FOLDER")).toBe(address);
  });

  it("finds the socket of the user where the system has none", async () => {
    const found = await find("docker", {}, "nowhere");

    expect(found).toEqual({ kind: "socket", path: join(folder, "home/.docker/run/docker.sock") });
  });

  it("finds containerd's sockets where the system and k3s have them, and takes the namespace that is named", async () => {
    const named = { variables: { CONTAINERD_NAMESPACE: "moby" }, homeFolder: "/" };

    expect(await find("containerd", {}, "k3s")).toMatchObject({ kind: "socket" });
    expect(hostEngines(named).namespaces).toEqual(["moby"]);
    expect(hostEngines({ ...named, variables: {} }).namespaces).toBeUndefined();
  });

  it("reads what TLS needs", async () => {
    const clientCertificate = { certificate: "CERT", key: "KEY" };

    const verified = await find("docker", {
      DOCKER_HOST: "tcp://a",
      DOCKER_TLS_VERIFY: "1",
      DOCKER_CERT_PATH: "/certs",
    });
    const plain = await find("docker", { DOCKER_HOST: "tcp://a", DOCKER_TLS: "1", DOCKER_CERT_PATH: "/certs" });
    const ofContext = await find("docker", { DOCKER_CONFIG: "/docker" });

    expect(verified).toMatchObject({ tls: { ca: "CA", clientCertificate } });
    expect(plain).toMatchObject({ tls: { ca: "CA", clientCertificate, isVerified: false } });
    expect(ofContext).toMatchObject({ tls: { ca: "CA", isVerified: false } });
  });

  it.each([
    ["docker", { DOCKER_HOST: "ssh://me@engine" }, "unsupported_source", "DOCKER_HOST: expected unix://PATH or tcp"],
    ["docker", { DOCKER_HOST: "tcp://:x" }, "unsupported_source", "DOCKER_HOST: expected"],
    [
      "docker",
      { DOCKER_HOST: "tcp://a", DOCKER_TLS: "1", DOCKER_CERT_PATH: "/half" },
      "unauthorized",
      "only one of them",
    ],
    ["docker", { DOCKER_CONTEXT: "none" }, "unsupported_source", 'docker has no context "none" with an engine'],
    ["docker", { DOCKER_CONFIG: "/broken" }, "unsupported_source", "docker's configuration"],
    ["podman", {}, "not_found", "podman.socket"],
    ["containerd", {}, "not_found", "or set CONTAINERD_ADDRESS to its address"],
  ] as const)("refuses %s with %j as %s", async (engine, variables, code, message) => {
    await expect(find(engine, variables)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});
