import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type BuiltImage,
  buildImage,
  buildLayer,
  dockerArchiveTree,
  type EngineServer,
  layerChecking,
  loopbackCertificate,
  ociLayoutTree,
  packTree,
  startEngineServer,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineHosts, parseEngineHost } from "./engine-address.ts";
import { fromDocker, fromPodman } from "./from-engine.ts";

let folder = "";
let server: EngineServer;
let engines: EngineHosts;
let image: BuiltImage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-"));
  server = await startEngineServer({ socketPath: join(folder, "docker.sock") });
  engines = { find: async () => parseEngineHost(server.host, "DOCKER_HOST", undefined) };
  image = buildImage({ layers: [await buildLayer({ "etc/os-release": "ID=x\n" })] });
  const archive = await packTree(dockerArchiveTree({ "team/app:latest": image }));
  server.put("team/app:latest", { id: image.config.digest, archive });
  server.put("layout:1", { id: image.digest, archive: await packTree(ociLayoutTree({ "1": image })) });
  server.put("cut:1", { id: image.digest, archive, cutAfterBytes: 2_000 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe("fromDocker", () => {
  it.each([
    ["team/app", "team/app:latest"],
    ["team/app:latest", "team/app:latest"],
  ])("reads %s as docker save writes it", async (name, reference) => {
    const source = fromDocker(name, { engines });
    await using opened = await source.open(layerChecking());

    expect(source.name).toBe(`docker:${name}`);
    expect(opened.images.map((one) => one.reference)).toEqual([reference]);
    expect(opened.images[0]?.manifestDigest).toBe(image.config.digest);
    expect(opened.images[0]?.layers.map(({ kind }) => kind)).toEqual(["read"]);
    expect(server.requests.at(-1)).toBe("/images/team/app:latest/get");
  });

  it("saves the image again for a layer that is to be read again", async () => {
    const reading = layerChecking();
    await using opened = await fromPodman("team/app", { engines }).open(reading);
    const [layer] = opened.images[0]?.layers ?? [];

    const read = layer?.kind === "read" && layer.again ? await reading.readLayer(layer.again) : undefined;

    expect(read?.diffId).toBe(layer?.digest);
  });

  it("reads an archive that is an OCI layout", async () => {
    await using opened = await fromDocker("layout:1", { engines }).open(layerChecking());

    expect(opened.images[0]?.manifestDigest).toBe(image.digest);
  });

  it("says which engine has no such image, and where another may be", async () => {
    await expect(fromDocker("none:1", { engines }).open(layerChecking())).rejects.toMatchObject({
      code: "not_found",
      message: `docker at ${server.host} has no image none:1: No such image: none:1; use registry:none:1 for an image in a registry`,
    });
  });

  it("fails where the connection ends in the archive", async () => {
    await expect(fromDocker("cut:1", { engines }).open(layerChecking())).rejects.toMatchObject({
      code: "source_unreachable",
      message: expect.stringContaining(`docker at ${server.host} cannot be reached`),
    });
  });

  it("ends with the signal", async () => {
    const signal = AbortSignal.abort();

    const opening = fromDocker("team/app", { engines }).open({ ...layerChecking(), signal });
    await expect(opening).rejects.toMatchObject({ code: "aborted" });
  });

  it("asks no engine of another machine offline", async () => {
    const elsewhere = { find: async () => parseEngineHost("tcp://engine.example:2375", "DOCKER_HOST", undefined) };

    const opening = fromDocker("app", { engines: elsewhere, offline: true }).open(layerChecking());
    await expect(opening).rejects.toMatchObject({
      code: "source_unreachable",
      message: expect.stringContaining("docker at http://engine.example:2375 is on another machine"),
    });
  });

  it("shows its certificate to an engine with TLS", async () => {
    await using secure = await startEngineServer({ tls: true });
    secure.put("app:1", { id: image.digest, archive: await packTree(ociLayoutTree({ "1": image })) });
    const { cert, key } = loopbackCertificate();
    const pem = { certificate: cert.toString(), key: key.toString() };
    const find = (tls: object) => ({ find: async () => parseEngineHost(secure.host, "DOCKER_HOST", tls) });

    const trusted = find({ ca: cert.toString(), clientCertificate: pem });
    await using opened = await fromDocker("app:1", { engines: trusted }).open(layerChecking());

    expect(opened.images).toHaveLength(1);
    const unknown = fromDocker("app:1", { engines: find({ clientCertificate: pem }) });
    await expect(unknown.open(layerChecking())).rejects.toMatchObject({ code: "source_unreachable" });
  });
});

describe("fromPodman", () => {
  it("asks podman's service the same", async () => {
    await using opened = await fromPodman("layout:1", { engines }).open(layerChecking());

    expect(opened.images[0]?.manifestDigest).toBe(image.digest);
  });
});
