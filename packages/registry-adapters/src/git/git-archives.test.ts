import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressGuard, type OutboundPolicy, startTunnels } from "@plimsoll/outbound";
import { BuildError } from "@plimsoll/registry/ports/building";
import { skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GitServer, noGit, startGitServer } from "../../../registry-api/src/builds/fixtures/git-server.ts";
import { findGit } from "./git-archives.ts";

let server: GitServer;
let folder = "";
const commits: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plimsoll-git-archives-"));
  if (noGit !== undefined) return;
  server = await startGitServer();
  commits.push(server.commit({ Dockerfile: "FROM scratch\n", "a/b.txt": "one" }));
  server.git("tag", "v1");
  server.git("branch", "old/one");
  server.commit({ "a/b.txt": "two" });
  server.git("update-index", "--add", "--cacheinfo", `160000,${commits[0]},inner`);
  server.git("commit", "--quiet", "--message", "a submodule");
  commits.push(server.git("rev-parse", "HEAD").trim());
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Asked {
  readonly ref?: string;
  readonly url?: string;
  readonly policy?: OutboundPolicy;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

async function files({ ref = "HEAD", url = server.url, policy = "trusted", maxBytes = 1e9, signal }: Asked) {
  const git = findGit({
    folder,
    environment: { PATH: process.env.PATH, GIT_SSL_CAINFO: server.caFile },
    openProxy: () => startTunnels({ policyOf: () => policy, maxBytes }),
  });
  if (git === undefined) throw new Error("git cannot be started");
  const chunks: Uint8Array[] = [];
  for await (const chunk of git.open({ url, ref }, { signal: signal ?? new AbortController().signal }))
    chunks.push(chunk);
  return filesOf(Buffer.concat(chunks));
}

/** The names in a tar archive, with the content of files. */
function filesOf(input: Uint8Array): Readonly<Record<string, string>> {
  const tar = (...words: readonly string[]) => execFileSync("tar", words, { input, encoding: "utf8" });
  const names = tar("-tf", "-").trim().split("\n");
  return Object.fromEntries(names.map((name) => [name, name.endsWith("/") ? "" : tar("-xOf", "-", name)]));
}

describe.skipIf(noGit !== undefined)(`findGit${skipNote(noGit)}`, () => {
  it.each([
    ["HEAD", "two"],
    ["main", "two"],
    ["v1", "one"],
    ["old/one", "one"],
    ["refs/heads/main", "two"],
  ])("gives the files of %s", async (ref, content) => {
    expect((await files({ ref }))["a/b.txt"]).toBe(content);
    expect(await readdir(folder)).toEqual([]);
  });

  it("gives the files of a commit, without those of submodules", async () => {
    const found = await files({ ref: commits[1] ?? "" });

    expect(Object.keys(found).filter((name) => name.startsWith("inner"))).toEqual(["inner/"]);
  });

  it.each<readonly [title: string, asked: Asked]>([
    ["a reference that is not there", { ref: "nowhere" }],
    ["an internal address", { policy: { guard: addressGuard() } }],
    ["more than it may have", { maxBytes: 1000 }],
    ["another repository", { url: "https://localhost:1/app.git" }],
    ["plain HTTP", { url: "http://localhost/app.git" }],
    ["a file", { url: "file:///etc" }],
    ["a program", { url: "ext::sh -c 'touch ran'" }],
  ])("refuses %s, and leaves nothing behind", async (_, asked) => {
    const error = await files(asked).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(BuildError);
    expect(String(error)).toContain("The git repository cannot be read");
    expect(await readdir(folder)).toEqual([]);
  });

  it("ends with its signal", async () => {
    const reason = new Error("stop");

    await expect(files({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual([]);
  });
});
