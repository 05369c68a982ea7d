/** The access log and the figures of a real process: what they name, and what they never hold. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

let folder: TempFolder;
let registry: RegistryProcess;
beforeAll(async () => {
  folder = tempFolder();
  registry = await startRegistry(folder.path);
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

type Line = Readonly<Record<string, unknown>>;

/** The lines of requests so far. */
function requests(): readonly Line[] {
  const lines = registry.process.log.map((line) => JSON.parse(line) as Line);
  return lines.filter(({ event }) => event === "request");
}

describe("the access log", () => {
  it("has a line for each request, with the operation and who asked", async () => {
    const basic = Buffer.from(`${firstUser.username}:${firstUser.password}`).toString("base64");
    await registry.call("POST", "/repository", { repository: "app", visibility: "private", description: "" });
    await fetch(`${registry.process.url}/v2/alice/app/tags/list?secret=sesame`, {
      headers: { authorization: `Basic ${basic}` },
    });
    await fetch(`${registry.process.url}/api/v1/repository/alice/app?access_token=sesame`);

    const find = (operation: string, status: number) =>
      requests().find((line) => line.operation === operation && line.status === status);
    await expect.poll(() => find("getRepo", 401) ?? find("getRepo", 403)).toBeDefined();
    expect(find("createRepo", 201)).toMatchObject({
      level: "info",
      method: "POST",
      bytes: expect.any(Number),
      durationMs: expect.any(Number),
      callerKind: "user",
      caller: "alice",
      address: "127.0.0.1",
      requestId: expect.any(String),
    });
    expect(find("listTags", 200)).toMatchObject({ method: "GET", callerKind: "user", caller: "alice" });
    expect(find("getRepo", 401) ?? find("getRepo", 403)).not.toHaveProperty("caller");
    const all = registry.process.log.join("\n");
    for (const secret of ["sesame", basic, firstUser.password, registry.token]) expect(all).not.toContain(secret);
  });

  it("has figures by operation beside it", async () => {
    await registry.call("GET", "/user/");

    const metrics = await (await fetch(`${registry.process.healthUrl}/metrics`)).text();

    expect(metrics).toContain('plimsoll_requests_total{operation="getLoggedInUser",method="GET",status="200"}');
    expect(metrics).toMatch(/plimsoll_jobs\{kind="registry\.collect-garbage",state="\w+"\} 1/);
    expect(metrics).toContain('plimsoll_request_seconds_count{operation="getLoggedInUser",method="GET"}');
  });
});
