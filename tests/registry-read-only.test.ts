/** A registry that is read-only, in a process of its own. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { firstUser } from "./support/registry-process.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

describe("plimsoll serve with registryReadOnly", () => {
  it("answers what is asked, changes nothing, and does nothing in the background", async () => {
    using folder = tempFolder();
    const data = join(folder.path, "data");
    await using service = await ServiceProcess.start({ data, offline: "1", registryReadOnly: "true" });
    await service.listening();
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = { "content-type": "application/json" };
      const sent = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      const answer = await fetch(`${service.url}${path}`, sent);
      return { status: answer.status, body: await answer.json() };
    };

    const first = await ask("POST", "/api/v1/user/initialize", { ...firstUser, email: "alice@example.com" });
    const read = await ask("GET", "/api/v1/discovery");
    expect(await service.stop()).toBe(0);

    expect(first).toMatchObject({ status: 503, body: { title: "read_only", is_readonly: true } });
    expect(read).toMatchObject({ status: 200, body: { swagger: "2.0" } });
    using database = new DatabaseSync(join(data, "plimsoll.db"));
    const [jobs, accounts] = ["jobs where kind like 'registry.%'", "account"].map((what) =>
      database.prepare(`select * from ${what}`).all(),
    );
    expect([jobs, accounts]).toEqual([[], []]);
  });
});
