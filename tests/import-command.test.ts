/** `plimsoll import registry …`: from one of our servers to another, on each kind of database. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Interruption } from "../packages/server/src/cli/io.ts";
import { startFront } from "./support/http-front.ts";
import { type FilledSource, fillSource } from "./support/import-source.ts";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

const settings = { superusers: "alice", allowedInternalHosts: "127.0.0.1", features: '{"requireTeamInvite":false}' };

let source: RegistryProcess;
let filled: FilledSource;
const folder = tempFolder();

beforeAll(async () => {
  source = await startRegistry(folder.path, settings);
  filled = await fillSource(source);
});

afterAll(async () => {
  await source[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Report {
  readonly counts: readonly { readonly kind: string; readonly taken: number; readonly present: number }[];
  readonly entries: readonly { readonly name: string; readonly outcome: string; readonly note?: string }[];
}

const engines = testEngines.filter(({ shared }) => shared);

describe.each(engines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "plimsoll import registry on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "goes on where it was interrupted, and then changes nothing more",
      async () => {
        using own = tempFolder();
        await using database = await engine.create();
        await using target = await startRegistry(own.path, { ...settings, database: database.location });
        await target.call("POST", "/superuser/users/", { username: "bob", email: "bob@example.com" });
        const tokenFile = own.write("token", `${source.token}\n`);
        const credentials = join(own.path, "made.jsonl");
        const stop = new AbortController();
        const blobs: string[] = [];
        let stopsAt = -1;
        await using front = await startFront(source.process.url, {
          onRequest(method, path) {
            if (method === "GET" && path.includes("/blobs/")) blobs.push(path);
            if (blobs.length === stopsAt) stop.abort(new Interruption("SIGTERM"));
          },
        });
        const run = async (words: readonly string[] = [], signal?: AbortSignal) => {
          const store = ["--data", join(own.path, "data"), "--database", database.location];
          const from = ["--token-file", tokenFile, "--credentials", credentials, "-o", "json", ...store];
          const env = { PLIMSOLL_SUPERUSERS: "alice", PLIMSOLL_ALLOWED_INTERNAL_HOSTS: "127.0.0.1" };
          const ran = await runPlimsoll(["import", "registry", front.url, ...from, ...words], {
            ...{ env, now: Date.now() },
            signal,
          });
          return { ...ran, report: JSON.parse(ran.stdout) as Report };
        };
        const countsOf = ({ report }: Awaited<ReturnType<typeof run>>) =>
          Object.fromEntries(report.counts.map(({ kind, ...counts }) => [kind, Object.values(counts)]));

        const planned = await run(["--dry-run", "--namespace", "acme"]);
        expect(planned, planned.stderr).toMatchObject({ code: 1 });
        expect(countsOf(planned)).toMatchObject({ organization: [1, 0, 0], repository: [3, 0, 0], tag: [3, 0, 0] });
        await expect(target.call("GET", "/organization/acme")).rejects.toThrow("404");

        stopsAt = 2;
        const stopped = await run([], stop.signal);
        expect(stopped).toMatchObject({ code: 143, stderr: "plimsoll: asked to stop\n" });
        expect(countsOf(stopped)).toMatchObject({ organization: [1, 0, 0] });
        stopsAt = -1;

        const resumed = await run();
        expect(resumed, resumed.stderr).toMatchObject({ code: 1, stderr: "" });
        const refused = resumed.report.entries.filter(({ outcome }) => outcome === "not taken");
        expect(refused.map(({ name, note }) => `${name}: ${note?.slice(0, 30)}`)).toEqual([
          "acme: devs: carol: there is no user carol here: c",
          "acme: dashboard: its secret and its tokens cann",
          "acme/app: user carol: there is no user carol here: c",
        ]);
        const distinct = new Set(blobs);
        expect(blobs.length - distinct.size, "only what was being fetched is fetched again").toBeLessThanOrEqual(1);

        const whole = await run(["--create-users", "--namespace", "acme"]);
        expect(whole).toMatchObject({ code: 1 });
        expect(countsOf(whole)).toMatchObject({ user: [1, 0, 0], "team member": [1, 3, 0], permission: [1, 4, 0] });

        const before = blobs.length;
        const again = await run(["--create-users", "--namespace", "acme"]);
        expect(Object.values(countsOf(again)).every(([taken]) => taken === 0)).toBe(true);
        expect(blobs.length).toBe(before);

        expect(statSync(credentials).mode & 0o777).toBe(0o600);
        const made = readFileSync(credentials, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
        expect(made.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
          "robot acme+ci",
          "notification acme/app: repo_push by webhook hook",
          "user carol",
        ]);
        await expectSame(target, filled);
      },
    );
  },
);

/** Compares what both registries say of themselves, without ids and secrets. */
async function expectSame(target: RegistryProcess, { images, attached }: FilledSource): Promise<void> {
  for (const [path, pick] of [
    ["/organization/acme", ["email", "tag_expiration_s"]],
    ["/organization/acme/team/devs/members", ["members"]],
    ["/organization/acme/robots?token=false&permissions=true", ["robots"]],
    ["/organization/acme/prototypes", ["prototypes"]],
    ["/organization/acme/autoprunepolicy/", ["policies"]],
    ["/organization/acme/quota", ["0"]],
    ["/organization/acme/robots/ci/federation", ["0"]],
    ["/organization/acme/ignorerules", ["rules"]],
    ["/organization/acme/pullgate", ["rules", "exceptions"]],
    ["/repository/acme/app/ignorerules", ["rules"]],
    ["/repository/acme/app/immutabilitypolicy/", ["policies", "inherited"]],
    ["/organization/acme/immutabilitypolicy/", ["policies"]],
    ["/repository/acme/app", ["description", "is_public", "state"]],
    ["/repository/acme/tools/deep", ["description", "is_public", "state"]],
    ["/repository/acme/app/permissions/user/", ["permissions"]],
    ["/repository/acme/app/permissions/team/", ["permissions"]],
    ["/repository/acme/app/notification/", ["notifications"]],
    ["/organization/acme/notifications", ["notifications"]],
    ["/repository/acme/app/autoprunepolicy/", ["policies"]],
    [`/repository/acme/app/manifest/${images.one.digest}/labels`, ["labels"]],
    ["/repository/acme/app/tag/?onlyActiveTags=true", ["tags"]],
    ["/repository/acme/tools/deep/tag/?onlyActiveTags=true", ["tags"]],
  ] as const)
    expect(await shown(target, path, pick), path).toEqual(await shown(source, path, pick));
  expect(await target.call("GET", "/repository/acme/copy/mirror")).toMatchObject({
    ...{ is_enabled: false, external_registry_username: "puller", robot_username: "acme+ci" },
    root_rule: { rule_value: ["1.*"] },
  });
  expect(await target.call("GET", `/repository/acme/app/manifest/${attached.digest}`)).toMatchObject({
    digest: attached.digest,
  });
}

/** Some members of an answer, without what is of one registry alone. */
async function shown(registry: RegistryProcess, path: string, members: readonly string[]): Promise<unknown> {
  const answer = (await registry.call("GET", path)) as Readonly<Record<string, unknown>>;
  const own = /^(?:id|uuid|avatar|created|last_accessed|start_ts|last_modified|hash)$/;
  const textOf = (value: unknown) => JSON.stringify(value) ?? "";
  return JSON.parse(JSON.stringify(members.map((member) => answer[member])), (key, value: unknown) => {
    if (own.test(key)) return undefined;
    return Array.isArray(value) ? value.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1)) : value;
  });
}
