import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBuildah } from "@plimsoll/registry-adapters/builds";
import { listJobs } from "@plimsoll/store";
import { forkProgram, packTree, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noBuildah, openBuildWorld } from "./fixtures/build-world.ts";
import { shellTree } from "./fixtures/shell-tree.ts";

const archive_url = "https://archives.example/app.tar";
/** Identifies the remaining program, because no other test sleeps so long. */
const sleepSeconds = "98765";

function sleepers(): string {
  return spawnSync("pgrep", ["-f", `sleep ${sleepSeconds}`], { encoding: "utf8" }).stdout;
}

describe("a worker that is killed while it builds", () => {
  const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engine.name }));

  it.for(engines)("is taken over once, and leaves nothing, on $title", async ({ engine }, { skip }) => {
    const reason = noBuildah ?? engine.skip;
    skip(reason !== undefined, reason);
    await using resources = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "plimsoll-killed-"));
    resources.defer(() => rm(folder, { recursive: true, force: true }));
    const archive = join(folder, "archive.tar");
    const slow = `RUN ["/bin/sh", "-c", "echo sleeping now; sleep ${sleepSeconds}"]`;
    await writeFile(
      archive,
      await packTree({ Dockerfile: `FROM scratch\nCOPY root/ /\n${slow}\n`, ...shellTree("root") }),
    );
    const quick = await packTree({ Dockerfile: "FROM scratch\nCOPY a /a\n", a: "a" });
    await using registry = await openBuildWorld({ engine, archives: { [archive_url]: quick } });
    const hook = {
      event: "build_success",
      method: "webhook",
      config: { url: "https://hooks.example/x" },
      eventConfig: {},
    };
    await registry.call("POST", "/repository/alice/app/notification/", hook);
    const { id } = await registry.request({ archive_url });

    const program = new URL("./fixtures/killed-builder.ts", import.meta.url);
    const child = forkProgram(program, [registry.location, registry.folder, archive]);
    await once(child, "message");
    child.kill("SIGKILL");
    await once(child, "exit");

    await expect.poll(sleepers).toBe("");
    expect(await registry.remains()).toHaveLength(1);
    findBuildah({ folder: registry.folder, environment: process.env }); // the next start
    expect(await registry.remains()).toEqual([]);
    expect(await registry.runOne()).toBe(false);
    expect(await registry.takeOver()).toBe(true);
    expect(await registry.takeOver()).toBe(false);
    const { logs } = await registry.log(id);
    expect(await registry.status(id), JSON.stringify(logs)).toMatchObject({ phase: "complete" });
    expect((await registry.pull("manifests/latest")).status).toBe(200);
    expect(await listJobs(registry.store.db, { kind: "registry.deliver-notification" })).toHaveLength(1);
    expect(await registry.store.db.selectFrom("tag").select("name").execute()).toHaveLength(1);
  });
});
