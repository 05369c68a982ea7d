/** A registry of others, filled by a client of others: Debian's docker-registry and skopeo, where they are installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findCorpus } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

const corpus = findCorpus();
const installed = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;
const missing = ["docker-registry", "skopeo"].filter((name) => !installed(name));

describe.skipIf(corpus === undefined || missing.length > 0)(
  `a docker-registry (missing: ${missing.join() || "none"})`,
  () => {
    const folder = tempFolder();
    let registry: ChildProcess | undefined;
    let host = "";

    beforeAll(async () => {
      host = `127.0.0.1:${await freePort()}`;
      registry = await startRegistry(host, folder.path, (name, content) => folder.write(name, content));
      const image = join(corpus ?? "", "data", "images", "alpine-3.20.3-multiarch", "alpine-3.20.3-multiarch.tar");
      const pushed = spawnSync("skopeo", [
        ...["copy", "--quiet", "--all", "--dest-tls-verify=false"],
        ...[`oci-archive:${image}`, `docker://${host}/library/alpine:3.20`],
      ]);
      expect(String(pushed.stderr)).toBe("");
    });

    afterAll(async () => {
      registry?.kill();
      if (registry !== undefined) await once(registry, "exit");
      folder[Symbol.dispose]();
    });

    const index = (reference: string, ...flags: string[]) =>
      runPlimsoll(["index", `registry:${host}/${reference}`, "--db", join(folder.path, "plimsoll.db"), ...flags]);

    it("is indexed for every platform", async () => {
      const { code, stdout } = await index("library/alpine:3.20", "--platform", "all");

      expect(code).toBe(0);
      for (const platform of ["linux/amd64", "linux/arm/v7", "linux/s390x"]) expect(stdout).toContain(`(${platform})`);
      expect(stdout.match(/17 packages in 1 database/g)).toHaveLength(3); // 14 of apk, and three programs that they brought
    });

    it("says which platforms there are when the one asked for is not", async () => {
      const { code, stderr } = await index("library/alpine:3.20", "--platform", "linux/riscv64");

      expect(code).toBe(3);
      expect(stderr).toContain("linux/amd64, linux/arm/v7, linux/s390x");
    });

    it("says what is not there", async () => {
      const { code, stderr } = await index("library/nosuch:1");

      expect(code).toBe(3);
      expect(stderr).toContain("nosuch:1");
      expect(stderr).toContain("not_found");
    });
  },
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function startRegistry(
  host: string,
  root: string,
  write: (name: string, content: string) => string,
): Promise<ChildProcess> {
  const config = {
    version: "0.1",
    storage: { filesystem: { rootdirectory: join(root, "registry") } },
    http: { addr: host },
  };
  const child = spawn("docker-registry", ["serve", write("registry.json", JSON.stringify(config))], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes("listening on")) break;
  }
  child.stderr.resume();
  return child;
}
