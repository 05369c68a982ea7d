import { join } from "node:path";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { tempFolder } from "../temp-folder.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";

/** helm, whose charts have the name of their repository and the version of their tag. */
export const helm: ClientProgram = { whyNot: () => whyNotRun("helm"), open };

async function open({ folder, host, scheme, env: given }: ClientPlace) {
  const homes = ["CACHE", "CONFIG", "DATA"].map((name) => [`HELM_${name}_HOME`, join(folder.path, name)]);
  const env = { ...given, ...Object.fromEntries(homes), HELM_REGISTRY_CONFIG: join(folder.path, "config.json") };
  const plain = `--plain-http=${scheme === "http"}`;
  const run = (...words: readonly string[]) => outputOf("helm", words, { env });
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("helm", ["registry", "login", plain, "--username", username, "--password-stdin", host], {
        env,
        stdin,
      }),
    logout: () => run("registry", "logout", host),
    async push(reference: string) {
      const { namespace, name, version } = partsOf(reference);
      folder.write(`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: ${version}\n`);
      await run("package", join(folder.path, name), "--destination", folder.path);
      await run("push", plain, join(folder.path, `${name}-${version}.tgz`), `oci://${namespace}`);
    },
    async pull(reference: string) {
      using place = tempFolder();
      const { namespace, name, version } = partsOf(reference);
      const words = [plain, "--version", version, "--destination", place.path, `oci://${namespace}/${name}`];
      const { code, stdout, stderr } = await runProgram("helm", ["pull", ...words], { env });
      if (code !== 0) throw new Error(stderr);
      return /^Digest: (\S+)$/m.exec(stdout + stderr)?.[1] ?? "";
    },
    async [Symbol.asyncDispose]() {},
  };
}

function partsOf(reference: string): Readonly<Record<"namespace" | "name" | "version", string>> {
  const [, namespace = "", name = "", version = ""] = /^(.*)\/([^/:]+):([^:]+)$/.exec(reference) ?? [];
  return { namespace, name, version };
}
