import { gzipSync } from "node:zlib";
import { BuildError, type BuildOrder, type GitArchives, type ImageBuilder } from "@plimsoll/registry/ports/building";
import { engineTitle, packTree, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBuildWorld } from "./fixtures/build-world.ts";

const digest = `sha256:${"a".repeat(64)}`;
const git_url = "https://git.example/app.git";

/** A builder that stores its orders and builds nothing. */
function keepingBuilder() {
  const built: { readonly order: BuildOrder; readonly archive: Buffer }[] = [];
  const builder: ImageBuilder = {
    async *build(order) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of order.archive) chunks.push(chunk);
      built.push({ order, archive: Buffer.concat(chunks) });
      yield { kind: "pushed", digest };
    },
  };
  return { built, builder };
}

/** Reads one repository. */
const gitArchives: GitArchives = {
  async *open({ url, ref }) {
    if (ref === "gone") throw new BuildError("The git repository cannot be read: no such reference");
    yield Buffer.from(`${url} at ${ref}`);
  },
};

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "builds from other sources on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("read a blob that was pushed before", async () => {
      const { built, builder } = keepingBuilder();
      await using registry = await openBuildWorld({ engine, archives: {}, imageBuilder: builder });
      const archive = gzipSync(await packTree({ Dockerfile: "FROM scratch\n" }));

      const missing = await registry.call("POST", "/repository/alice/app/build/", { file_id: digest });
      const file_id = await registry.upload(archive);
      const { id } = await registry.request({ file_id, tags: ["v1"] });
      await registry.runOne();

      expect(missing).toMatchObject({ status: 400, body: { detail: expect.stringContaining("push it first") } });
      expect(await registry.status(id)).toMatchObject({ phase: "complete", file_id });
      expect(built.map((each) => each.archive)).toEqual([archive]);
    });

    it.skipIf(engine.skip !== undefined)("read a git repository, and report why one cannot be read", async () => {
      const { built, builder } = keepingBuilder();
      await using registry = await openBuildWorld({ engine, archives: {}, imageBuilder: builder, gitArchives });

      const { id } = await registry.request({ git_url, git_ref: "v1.2" });
      await registry.runOne();
      const gone = await registry.request({ git_url, git_ref: "gone" });
      await registry.runOne();

      expect(await registry.status(id)).toMatchObject({ phase: "complete", git_url, git_ref: "v1.2" });
      expect(built.map(({ archive }) => archive.toString())).toEqual([`${git_url} at v1.2`]);
      expect(await registry.status(gone.id)).toMatchObject({
        ...{ phase: "error", error: "The git repository cannot be read: no such reference" },
      });
    });

    it.skipIf(engine.skip !== undefined)("are refused at once where git is not installed", async () => {
      const { builder } = keepingBuilder();
      await using registry = await openBuildWorld({ engine, archives: {}, imageBuilder: builder });

      const { status, body } = await registry.call("POST", "/repository/alice/app/build/", { git_url });

      expect([status, body.detail]).toEqual([503, expect.stringContaining("it needs the programs git")]);
    });
  },
);
