import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseImageReference } from "@plimsoll/core/image";
import { hostProxy } from "@plimsoll/outbound";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { credentialHelper, hostCredentials } from "./host-environment.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "credentials-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function put(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o700);
  return path;
}

function fileFor(registry: string, user: string): string {
  return JSON.stringify({ auths: { [registry]: { auth: Buffer.from(`${user}:pw`).toString("base64") } } });
}

describe("hostCredentials", () => {
  it("looks into the file of the environment, then docker's, and does without", async () => {
    const authFile = await put("auth.json", fileFor("a.example", "from-auth-file"));
    await put("home/.docker/config.json", fileFor("b.example", "from-home"));
    await put("docker/config.json", fileFor("b.example", "from-docker-config"));
    const find = (image: string, variables: Record<string, string>) =>
      hostCredentials({ variables, homeFolder: join(folder, "home") }).find(parseImageReference(image));

    expect(await find("a.example/x", { REGISTRY_AUTH_FILE: authFile })).toMatchObject({ username: "from-auth-file" });
    expect(await find("b.example/x", { REGISTRY_AUTH_FILE: authFile })).toMatchObject({ username: "from-home" });
    expect(await find("b.example/x", { DOCKER_CONFIG: join(folder, "docker") })).toMatchObject({
      username: "from-docker-config",
    });
    expect(await find("b.example/x", { DOCKER_CONFIG: join(folder, "none") })).toBeUndefined();
  });

  it("looks where podman and skopeo keep theirs", async () => {
    await put("run/containers/auth.json", fileFor("c.example", "from-podman"));
    await put("config/containers/auth.json", fileFor("d.example", "from-config"));
    await put("here/.config/containers/auth.json", fileFor("d.example", "from-home"));
    const homeFolder = join(folder, "here");
    const variables = { XDG_RUNTIME_DIR: join(folder, "run"), XDG_CONFIG_HOME: join(folder, "config") };
    const find = (image: string, own: Record<string, string>) =>
      hostCredentials({ variables: own, homeFolder }).find(parseImageReference(image));

    expect(await find("c.example/x", variables)).toMatchObject({ username: "from-podman" });
    expect(await find("d.example/x", variables)).toMatchObject({ username: "from-config" });
    expect(await find("d.example/x", {})).toMatchObject({ username: "from-home" });
  });

  it("looks where podman and skopeo keep theirs without a folder of the session, and nowhere else with one", async () => {
    await put("logins/auth.json", fileFor("e.example", "from-logins"));
    const host = { homeFolder: join(folder, "nowhere"), loginFolder: join(folder, "logins") };
    const find = (variables: Record<string, string>) =>
      hostCredentials({ ...host, variables }).find(parseImageReference("e.example/x"));

    expect(await find({})).toMatchObject({ username: "from-logins" });
    expect(await find({ XDG_RUNTIME_DIR: join(folder, "none") })).toBeUndefined();
  });

  it("runs the helper that a file names", async () => {
    const answer = '{"ServerURL":"quay.io","Username":"ann","Secret":"pw"}';
    const helper = await put(
      "bin/docker-credential-fake",
      `#!/bin/sh\nread server\n[ "$server" = quay.io ] && echo '${answer}'\n`,
    );
    await put("helped/config.json", JSON.stringify({ credHelpers: { "quay.io": "fake" } }));
    const variables = { DOCKER_CONFIG: join(folder, "helped"), PATH: `${dirname(helper)}:/usr/bin:/bin` };

    const found = await hostCredentials({ variables, homeFolder: folder }).find(parseImageReference("quay.io/x"));

    expect(found).toEqual({ kind: "basic", username: "ann", password: "pw" });
  });
});

describe("credentialHelper", () => {
  it.each<[string, string, unknown]>([
    ["an identity token", `echo '{"Username":"<token>","Secret":"t"}'`, { kind: "identity-token", token: "t" }],
    ["no secret", `echo '{"Username":"","Secret":""}'`, undefined],
    ["nothing known", "echo 'credentials not found in native keychain'; exit 1", undefined],
  ])("takes %s", async (_name, script, credential) => {
    const path = await put("case/docker-credential-case", `#!/bin/sh\n${script}\n`);
    const ask = credentialHelper({ environment: { PATH: `${dirname(path)}:/usr/bin:/bin` } });
    expect(await ask("case", "quay.io")).toEqual(credential);
  });

  it.each([
    ["a failure", "echo s3cret; exit 3", "exit code 3"],
    ["text", "echo s3cret", "no JSON object"],
    ["another object", 'echo \'{"Secret":"s3cret"}\'', "no Username and Secret"],
    ["too much", "yes s3cret", "more than 1048576 bytes"],
    ["no end, by a child", "sleep 100 & sleep 100", "did not end within 300 ms"],
  ])("refuses %s without repeating it", async (_name, script, why) => {
    const path = await put("bad/docker-credential-bad", `#!/bin/sh\n${script}\n`);
    const timeoutMs = why.includes("300 ms") ? 300 : 10_000;
    const ask = credentialHelper({ environment: { PATH: `${dirname(path)}:/usr/bin:/bin` }, timeoutMs });
    const error = await ask("bad", "quay.io").catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "unauthorized", message: expect.stringContaining(why) });
    expect(String(error)).not.toContain("s3cret");
  });

  it.each(["missing", "../bad", "a b", ""])("does not run %j", async (helper) => {
    const ask = credentialHelper({ environment: { PATH: folder } });
    await expect(ask(helper, "quay.io")).rejects.toMatchObject({ code: "unauthorized" });
  });
});

describe("hostProxy", () => {
  it.each([
    [{}, undefined],
    [{ NO_PROXY: "x" }, undefined],
    [{ HTTP_PROXY: "http://p:1" }, { httpProxy: "http://p:1" }],
    [
      { https_proxy: "http://q:1", HTTPS_PROXY: "http://p:1", no_proxy: "x" },
      { httpsProxy: "http://q:1", noProxy: "x" },
    ],
  ])("reads %j", (variables, proxy) => {
    expect(hostProxy({ variables })).toEqual(proxy);
  });
});
