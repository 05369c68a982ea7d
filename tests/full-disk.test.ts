/**
 * `plimsoll serve` with everything on a disk without room: pulls and sign-ins go on, what cannot be written is refused and said once
 * in the log, no answer names a path of the server, and the server starts again as it is.
 */
import { randomBytes } from "node:crypto";
import { mountSmallDisk, noSmallDisk, skipNote } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { manifestOf } from "./support/outage-clients.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";

const title = skipNote(noSmallDisk);
/** The database refuses from some change on: its log may have room left. */
const mostChanges = 3_000;

describe.skipIf(noSmallDisk !== undefined)(`plimsoll serve on a full disk${title}`, () => {
  it("answers pulls and sign-ins, refuses what it cannot write, starts again, and goes on when there is room", async () => {
    using disk = mountSmallDisk(64);
    if (disk === undefined) throw new Error("no disk was mounted");
    await using registry = await startRegistry(disk.folder, { scanPatienceSeconds: "1" });
    const { process: server } = registry;
    onTestFailed(() => void process.stderr.write(`${server.log.join("\n")}\n`));
    const asked = new AskedRegistry(registry);
    const image = manifestOf("first", [contentOf(randomBytes(200_000))]);
    await asked.client.push(image, { tag: "first" });
    const upload = await asked.beginUpload();

    disk.fill();
    const blobs = [await asked.append(upload), await asked.append(upload)];
    const changes = await asked.changeUntilRefused();
    await asked.expectReadable(image.digest);
    expect(blobs).toEqual([507, 507]);
    expect(changes.at(-1)).toBe(503);
    expect(server.log.filter((line) => line.includes('"code":"disk_full"'))).toHaveLength(1);
    expect(server.log.filter((line) => line.includes("space for blobs"))).toHaveLength(1);

    expect(await server.stop()).toBe(0);
    await server.restart();
    await server.listening();
    await asked.expectReadable(image.digest);
    expect(await asked.append(upload)).toBe(507);
    expect((await asked.changeUntilRefused()).at(-1)).toBe(503);

    disk.makeRoom();
    await expect.poll(() => asked.change()).toBe(201);
    expect(await asked.append(upload)).toBe(202);
    await asked.expectReadable(image.digest);
    expect(server.crashes).toEqual([]);
    expect(server.log.filter((line) => line.includes('"event":"request_failed"'))).toEqual([]);
    expect(asked.texts.filter((text) => text.includes(disk.folder) || /ENOSPC|SQLITE|plimsoll\.db/.test(text))).toEqual(
      [],
    );
  });
});

/** A registry, and the text of all that it answered. */
class AskedRegistry {
  readonly client: PushClient;
  readonly texts: string[] = [];
  readonly #registry: RegistryProcess;
  #changes = 0;

  constructor(registry: RegistryProcess) {
    this.#registry = registry;
    this.client = new PushClient(`${registry.process.url}/v2/alice/images/`, registry.token);
  }

  async beginUpload(): Promise<string> {
    return (await this.client.ask("POST", "blobs/uploads/", { expected: [202] })).headers.get("location") ?? "";
  }

  async append(upload: string): Promise<number> {
    const answer = await this.client.ask("PATCH", upload, {
      expected: [202, 507],
      init: { body: randomBytes(100_000) },
    });
    return this.#heard(answer);
  }

  /** Makes a repository with a long description. @returns the status */
  async change(): Promise<number> {
    const { process: server, token } = this.#registry;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const repository = `written-${this.#changes++}`;
    const body = JSON.stringify({ repository, visibility: "public", description: "x".repeat(4_000) });
    return this.#heard(await fetch(`${server.url}/api/v1/repository`, { method: "POST", headers, body }));
  }

  async changeUntilRefused(): Promise<readonly number[]> {
    const statuses: number[] = [];
    while (statuses.length < mostChanges && (statuses.at(-1) ?? 201) === 201) statuses.push(await this.change());
    return [...statuses, await this.change()];
  }

  /** Pulls and signs in, with the right password and a wrong one. */
  async expectReadable(digest: string): Promise<void> {
    expect(await this.client.pull("first")).toBe(digest);
    const signIn = async (password: string) => {
      const headers = { authorization: `Basic ${btoa(`${firstUser.username}:${password}`)}` };
      return this.#heard(await fetch(`${this.#registry.process.url}/v2/auth?service=x`, { headers }));
    };
    expect([await signIn(firstUser.password), await signIn("wrong")]).toEqual([200, 401]);
    const { url } = this.#registry.process;
    expect(await this.#heard(await fetch(`${url}/api/v1/repository?public=true`))).toBe(200);
  }

  async #heard(answer: Response): Promise<number> {
    this.texts.push(await answer.text());
    return answer.status;
  }
}
