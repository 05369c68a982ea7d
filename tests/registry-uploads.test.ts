/** Uploads of clients that are processes of their own: two at once, and one that is killed. */
import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { digestOf } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const bytes = randomFillSync(Buffer.alloc(8 * 1024 ** 2));
const digest = digestOf(bytes);

/** Sends so many bytes of a file to an upload, and ends its request if that is all of them. */
const sender = `
  const [file, url, count, authorization] = process.argv.slice(1);
  const bytes = require("node:fs").readFileSync(file);
  const request = require("node:http").request(url, { method: "PATCH", headers: { authorization } });
  request.write(bytes.subarray(0, Number(count)), () => process.stdout.write("sent"));
  if (Number(count) === bytes.length) request.end();
  request.on("response", (response) => process.exit(response.statusCode === 202 ? 0 : 1));
`;

let folder: TempFolder;
let registry: RegistryProcess;
let file: string;
let authorization: string;

beforeAll(async () => {
  folder = tempFolder();
  file = folder.write("blob", bytes);
  registry = await startRegistry(folder.path);
  authorization = `Basic ${btoa(`$oauthtoken:${registry.token}`)}`;
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const ask = (address: string, init: RequestInit = {}) =>
  fetch(new URL(address, registry.process.url), { ...init, headers: { authorization, ...(init.headers as object) } });

async function begin(repository: string): Promise<string> {
  const begun = await ask(`/v2/alice/${repository}/blobs/uploads/`, { method: "POST" });
  return new URL(begun.headers.get("location") ?? "", registry.process.url).href;
}

function startClient(upload: string, count: number) {
  return spawn(process.execPath, ["-e", sender, file, upload, String(count), authorization], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function pull(repository: string): Promise<string> {
  const response = await ask(`/v2/alice/${repository}/blobs/${digest}`);
  return digestOf(Buffer.from(await response.arrayBuffer()));
}

describe("a registry", () => {
  it.each([
    { where: "one repository", repositories: ["same", "same"] },
    { where: "two repositories", repositories: ["left", "right"] },
  ])("takes the same blob of two clients at once, in $where", async ({ repositories }) => {
    const uploads = await Promise.all(repositories.map(begin));

    const exits = await Promise.all(uploads.map((upload) => once(startClient(upload, bytes.length), "exit")));
    const done = await Promise.all(uploads.map((upload) => ask(`${upload}?digest=${digest}`, { method: "PUT" })));

    expect(exits.map(([code]) => code)).toEqual([0, 0]);
    expect(done.map(({ status }) => status)).toEqual([201, 201]);
    expect(await Promise.all(repositories.map(pull))).toEqual([digest, digest]);
  });

  it("lets another client go on with an upload whose client was killed", async () => {
    const upload = await begin("resumed");
    const client = startClient(upload, 5 * 1024 ** 2);
    await once(client.stdout, "data");
    client.kill("SIGKILL");

    const received = async () => Number((await ask(upload)).headers.get("range")?.split("-")[1]);
    await expect.poll(received).toBeGreaterThan(0);
    const from = (await received()) + 1;
    const headers = { "content-range": `${from}-${bytes.length - 1}` };
    const rest = await ask(upload, { method: "PATCH", headers, body: bytes.subarray(from) });
    const done = await ask(`${upload}?digest=${digest}`, { method: "PUT" });

    expect(from).toBeLessThanOrEqual(5 * 1024 ** 2);
    expect([rest.status, done.status]).toEqual([202, 201]);
    expect(await pull("resumed")).toBe(digest);
  });
});
