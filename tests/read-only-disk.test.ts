/**
 * `plimsoll serve` with its data on a disk that is mounted read-only: it starts, pulls and sign-ins work, changes are refused with a
 * reason and said once in the log, and it goes on when the disk takes writes again.
 */
import { randomBytes } from "node:crypto";
import { mountSmallDisk, noSmallDisk, skipNote } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { manifestOf } from "./support/outage-clients.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";

/** Calls the management API as a program, and the protocol with the password of the first user. */
async function call(
  { process: server, token }: RegistryProcess,
  method: string,
  { path, body }: { readonly path: string; readonly body?: unknown | undefined },
) {
  const basic = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;
  const authorization = path.startsWith("/v2/") ? basic : `Bearer ${token}`;
  const headers = { authorization, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${server.url}${path}`, { method, headers, ...sent });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() };
}

const title = `plimsoll serve on a read-only disk${skipNote(noSmallDisk)}`;

describe.skipIf(noSmallDisk !== undefined)(title, () => {
  it.each([
    { after: "it was stopped", isStopped: true },
    { after: "it was killed", isStopped: false },
  ])("starts after $after, answers what is read, and refuses changes until they are possible", async (row) => {
    using disk = mountSmallDisk(64);
    if (disk === undefined) throw new Error("no disk was mounted");
    await using registry = await startRegistry(disk.folder, { scanPatienceSeconds: "1" });
    const { process: server } = registry;
    onTestFailed(() => void process.stderr.write(`${server.log.join("\n")}\n`));
    const client = () => new PushClient(`${server.url}/v2/alice/images/`, registry.token);
    const change = () =>
      call(registry, "POST", {
        path: "/api/v1/repository",
        body: { repository: "new", visibility: "public", description: "" },
      });
    const image = manifestOf("first", [contentOf(randomBytes(200_000))]);
    await client().push(image, { tag: "first" });

    if (row.isStopped) expect(await server.stop()).toBe(0);
    await server.restart(async () => disk.seal());
    await server.listening();
    const pulled = await client().pull("first");
    const read = [
      await call(registry, "GET", { path: "/v2/auth?service=x" }),
      await call(registry, "GET", { path: "/api/v1/repository/alice/images" }),
    ];
    const refused = [await change(), await call(registry, "POST", { path: "/v2/alice/images/blobs/uploads/" })];
    const told = server.log.filter((line) => line.includes('"event":"database_failed"'));

    expect(pulled).toBe(image.digest);
    expect(read.map(({ status }) => status)).toEqual([200, 200]);
    for (const { status, retryAfter, text } of refused) {
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: "30" });
      expect(text).toContain("the database cannot be changed at the moment");
      expect(text).not.toContain(disk.folder);
    }
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("its file system is mounted read-only");

    disk.unseal();
    await expect.poll(async () => (await change()).status).toBe(201);
    await client().push(manifestOf("second", [contentOf(randomBytes(1_000))]), { tag: "second" });
    expect(server.crashes).toEqual([]);
    expect(server.log.filter((line) => line.includes('"event":"request_failed"'))).toEqual([]);
  });
});
