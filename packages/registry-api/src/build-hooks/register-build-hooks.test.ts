import { createHmac } from "node:crypto";
import { signWebhook } from "@plimsoll/outbound";
import type { GitArchives, ImageBuilder } from "@plimsoll/registry/ports/building";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBuildWorld } from "../builds/fixtures/build-world.ts";

const commit = "a".repeat(40);
const git_url = "https://git.example/app.git";
const push = JSON.stringify({ ref: "refs/heads/main", after: commit, repository: { default_branch: "main" } });

async function open(engine: (typeof testEngines)[number], given: object = {}) {
  const asked: object[] = [];
  const gitArchives: GitArchives = {
    async *open(source) {
      asked.push(source);
      yield Buffer.from("files");
    },
  };
  const imageBuilder: ImageBuilder = {
    async *build(order) {
      for await (const _ of order.archive);
      yield { kind: "pushed", digest: `sha256:${"d".repeat(64)}` };
    },
  };
  const world = await openBuildWorld({ engine, archives: {}, imageBuilder, gitArchives });
  const { body } = await world.call("POST", "/repository/alice/app/trigger/", { git_url, ...given });
  const { id, secret } = body as { readonly id: string; readonly secret: string };
  const send = async (headers: Readonly<Record<string, string>>, content = push, trigger = id) => {
    const url = `http://${world.host}/webhooks/push/trigger/${trigger}`;
    const answer = await fetch(url, {
      ...{ method: "POST", body: content },
      headers: { "content-type": "application/json", "x-github-event": "push", ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as { build_id?: string; ignored?: string } };
  };
  const hub = (content = push, key = secret) => ({
    "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(content).digest("hex")}`,
  });
  return { world, id, secret, asked, send, hub };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a webhook of a forge on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("builds a push once", async () => {
      const { world: owned, id, asked, send, hub } = await open(engine, { build_args: { A: "1" } });
      await using world = owned;

      const taken = await send(hub());
      const replayed = await send(hub());
      await world.runOne();

      expect(taken).toMatchObject({ status: 200, body: { build_id: expect.any(String) } });
      expect(replayed).toEqual({ status: 200, body: { ignored: "The delivery was taken before" } });
      expect(asked).toMatchObject([{ url: git_url, ref: commit }]);
      expect(await world.status(taken.body.build_id ?? "")).toMatchObject({
        ...{ phase: "complete", tags: ["main", "latest"], manual_user: null },
        ...{ trigger: { id, service: "custom-git" }, git_ref: commit },
      });
      expect(await world.runOne()).toBe(false);
    });

    it.skipIf(engine.skip !== undefined)(
      "counts deliveries and requests at the same moment for the limit of builds that wait",
      async () => {
        const { world: owned, send, hub } = await open(engine);
        await using world = owned;
        for (let request = 0; request < 90; request++) await world.request({ git_url });
        const commits = Array.from({ length: 12 }, (_, number) => String(number + 1).padStart(40, "0"));
        const pushes = commits.map((after) => JSON.stringify({ ref: "refs/heads/main", after, repository: {} }));

        const answers = await Promise.all([
          ...pushes.map((content) => send(hub(content), content)),
          world.call("POST", "/repository/alice/app/build/", { git_url }),
        ]);

        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status < 300)).toHaveLength(10);
        expect(statuses.filter((status) => status === 429)).toHaveLength(3);
      },
    );

    it.skipIf(engine.skip !== undefined)("refuses and logs forged deliveries, and reveals nothing", async () => {
      const { world: owned, secret, send, hub } = await open(engine);
      await using world = owned;
      const now = Date.now();
      const old = signWebhook({ id: "m", body: push, secret, now: now - 3_600_000 });

      const answers = [
        await send({}),
        await send(hub(push, "another secret")),
        await send(hub("{}")),
        await send(old),
        await send(hub(), push, "00000000-0000-4000-8000-000000000000"),
        await send({}, push, "no-such-trigger"),
      ];

      expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 403, 403, 401]);
      expect((await world.call("GET", "/repository/alice/app/build/")).body).toEqual({ builds: [] });
      const log = await world.registry.usageLog();
      expect(log.filter(({ kind }) => kind === "build_trigger_refused")).toHaveLength(4);
      expect(JSON.stringify(log)).not.toContain(secret);
    });

    it.skipIf(engine.skip !== undefined)(
      "accepts Standard Webhooks, applies the patterns of the trigger, and ignores deliveries while it is off",
      async () => {
        const { world: owned, id, secret, send, hub } = await open(engine, { refs: ["refs/tags/v*"], tags: ["one"] });
        await using world = owned;
        const tagged = JSON.stringify({ ref: "refs/tags/v1", after: commit });
        const sign = (message: string) => signWebhook({ id: message, body: tagged, secret, now: Date.now() });

        const branch = await send(hub());
        const taken = await send(sign("m1"), tagged);
        const again = await send(sign("m1"), tagged);
        await world.call("PUT", `/repository/alice/app/trigger/${id}`, { enabled: false });
        const off = await send(sign("m2"), tagged);
        const ping = await send({ ...hub("{}"), "x-github-event": "ping" }, "{}");
        await world.call("DELETE", `/repository/alice/app/trigger/${id}`);
        const gone = await send(sign("m3"), tagged);

        expect(branch.body.ignored).toBe("No pattern matches refs/heads/main");
        expect(await world.status(taken.body.build_id ?? "")).toMatchObject({ tags: ["one"] });
        expect([again, off, ping].map(({ body }) => body.ignored)).toEqual([
          ...["The delivery was taken before", "The trigger is turned off", "Nothing was pushed"],
        ]);
        expect(gone.status).toBe(403);
      },
    );
  },
);
