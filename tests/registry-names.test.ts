/** The registry by other names than its own: what clients that sign in are answered leads back to the name that they know. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Balancer, startBalancer } from "./support/balancer.ts";
import { isInstalled, outputOf, runProgram } from "./support/client-program.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage, writeLayout } from "./support/sample-image.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const patienceMs = 60_000;
const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const hasSkopeo = isInstalled("skopeo");

describe("a registry without registryHost", () => {
  let folder: TempFolder;
  let registry: RegistryProcess;
  let proxy: Balancer;
  beforeAll(async () => {
    folder = tempFolder();
    writeLayout(folder, { app: image });
    registry = await startRegistry(folder.path, { trustedProxies: "127.0.0.1" });
    const { url, healthUrl } = registry.process;
    proxy = await startBalancer([{ url, healthUrl }], { forwardsHost: true });
  }, patienceMs);
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const { username, password } = firstUser;
  const names: Readonly<Record<string, () => string>> = {
    "its address": () => registry.host,
    localhost: () => registry.host.replace("127.0.0.1", "localhost"),
    "the name that a proxy forwards": () => new URL(proxy.url).host,
  };
  const rows = Object.keys(names).flatMap((name) =>
    ["skopeo", "podman", "buildah"].map((program) => ({ name, program, isHere: isInstalled(program) })),
  );

  it.each(Object.keys(names))("leads a client to its tokens by %s", async (name) => {
    const host = names[name]?.();
    const challenge = (await fetch(`http://${host}/v2/`)).headers.get("www-authenticate");

    expect(challenge).toContain(`realm="http://${host}/v2/auth",service="${host}"`);
  });

  it.for(rows)("lets $program sign in by $name", { timeout: patienceMs }, async (row, { skip }) => {
    const { name, program, isHere } = row;
    skip(!isHere, `${program} is not installed`);
    const host = names[name]?.() ?? "";
    const authfile = join(folder.path, `${program}-${host.replace(":", "-")}.json`);
    const login = (username: string, secret: string) => {
      const words = ["login", "--tls-verify=false", "--authfile", authfile, "--username", username, "--password-stdin"];
      return runProgram(program, [...words, host], { stdin: secret });
    };

    const wrong = await login(`mallory-${rows.indexOf(row)}`, "wrong-horse");
    const right = await login(username, password);

    expect(right).toMatchObject({ code: 0 });
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toMatch(/invalid username.*password/i);
  });

  it.skipIf(!hasSkopeo).each(Object.keys(names))(
    "takes and gives images by %s",
    { timeout: patienceMs },
    async (name) => {
      const host = names[name]?.() ?? "";
      const place = `docker://${host}/alice/${host.replace(":", "-")}:1`;
      const creds = `${username}:${password}`;
      const skopeo = (...words: readonly string[]) => outputOf("skopeo", ["--insecure-policy", ...words]);

      await skopeo(
        "copy",
        "--dest-tls-verify=false",
        "--dest-creds",
        creds,
        `oci:${join(folder.path, "layout")}:app`,
        place,
      );
      const found = JSON.parse(await skopeo("inspect", "--tls-verify=false", "--creds", creds, place));

      expect(found.Digest).toBe(image.digest);
    },
  );
});
