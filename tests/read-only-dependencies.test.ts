/**
 * A registry whose PostgreSQL and whose S3 store take no changes, as while they are moved or fail over, and beside it a node that
 * is read-only by its settings: pulls and sign-ins go on at both, and what would change something is refused in each API's own form.
 */
import { randomBytes } from "node:crypto";
import { engineTitle, skipNote, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { manifestOf, manifestType } from "./support/outage-clients.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { setReadOnly } from "./support/read-only-database.ts";
import { guardStore } from "./support/read-only-store.ts";
import { firstUser, startRegistry } from "./support/registry-process.ts";
import { realS3Settings } from "./support/s3-settings.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const engine = testEngines.find(({ name }) => name === "PostgreSQL") as TestEngine;
const s3 = realS3Settings();
const skips = engine.skip !== undefined || s3 === undefined;
const missing = skipNote(s3 === undefined ? "PLIMSOLL_TEST_S3 is not set" : undefined);

describe.skipIf(skips)(`a registry on ${engineTitle(engine)} and S3${missing} that take no changes`, () => {
  it("answers pulls and sign-ins, refuses writes for a while, and goes on afterwards", async () => {
    using folder = tempFolder();
    await using database = await engine.create();
    await using store = await guardStore(s3?.s3Endpoint ?? "");
    const secretKey = randomBytes(32).toString("base64");
    const settings = { ...s3, s3Endpoint: store.endpoint, database: database.location, secretKey };
    await using registry = await startRegistry(folder.path, settings);
    const { process: usual, token } = registry;
    onTestFailed(
      () => void process.stderr.write(`${usual.log.filter((line) => !line.includes('"request"')).join("\n")}\n`),
    );
    await using readOnly = await ServiceProcess.start({
      ...settings,
      data: `${folder.path}/other`,
      offline: "1",
      registryReadOnly: "true",
    });
    await readOnly.listening();
    const clientOf = ({ url }: ServiceProcess) => new PushClient(`${url}/v2/alice/images/`, token);
    const image = manifestOf("first", [contentOf(randomBytes(100_000))]);
    await clientOf(usual).push(image, { tag: "first" });
    const begun = await clientOf(usual).ask("POST", "blobs/uploads/", { expected: [202] });
    const upload = begun.headers.get("location") ?? "";

    store.takesWrites = false;
    const piece = () =>
      clientOf(usual).ask("PATCH", upload, { expected: [202, 503], init: { body: Buffer.from("a piece") } });
    const onlyBlobs = await piece();
    await setReadOnly(database.location, "on");
    const put = (node: ServiceProcess, expected: number) =>
      clientOf(node).ask("PUT", "manifests/again", {
        expected: [expected, 503],
        init: {
          headers: { "content-type": manifestType },
          body: Buffer.from(image.bytes),
        },
      });
    await expect.poll(async () => (await put(usual, 201)).status).toBe(503);
    const pulls = await Promise.all([usual, readOnly].map((node) => clientOf(node).pull("first")));
    const signIns = await Promise.all([usual, readOnly].flatMap(({ url }) => [signIn(url, "wrong"), signIn(url)]));
    const refused = [
      await put(usual, 201),
      await piece(),
      await clientOf(usual).ask("POST", "blobs/uploads/", { expected: [503] }),
    ];
    const changes = await Promise.all([usual, readOnly].map(({ url }) => createRepository(url, token)));
    const denied = await clientOf(readOnly).ask("PUT", "manifests/again", {
      expected: [405],
      init: { body: Buffer.from(image.bytes) },
    });
    await setReadOnly(database.location, "off");
    store.takesWrites = true;

    expect(pulls).toEqual([image.digest, image.digest]);
    expect(signIns).toEqual([401, 200, 401, 200]);
    for (const answer of [onlyBlobs, ...refused]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(await answer.json()).toMatchObject({ errors: [{ code: "UNKNOWN" }] });
    }
    expect(changes).toMatchObject([1, 2].map(() => ({ status: 503, body: { title: "read_only" } })));
    expect(await denied.json()).toMatchObject({ errors: [{ code: "DENIED" }] });
    expect(store.refused).toBeGreaterThan(0);
    await expect.poll(async () => (await put(usual, 201)).status).toBe(201);
    await expect.poll(async () => (await piece()).status).toBe(202);
    expect([...usual.crashes, ...readOnly.crashes]).toEqual([]);
    expect(usual.log.filter((line) => line.includes('"event":"request_failed"'))).toEqual([]);
  });
});

async function signIn(url: string, password: string = firstUser.password): Promise<number> {
  const headers = { authorization: `Basic ${btoa(`${firstUser.username}:${password}`)}` };
  return (await fetch(`${url}/v2/auth?service=x`, { headers })).status;
}

async function createRepository(url: string, token: string) {
  const body = JSON.stringify({ repository: "written", visibility: "public", description: "" });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/api/v1/repository`, { method: "POST", headers, body });
  return { status: answer.status, body: await answer.json() };
}
