import { rm } from "node:fs/promises";
import { join } from "node:path";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";

/** cosign: it pushes an artifact, signs it, and pulls by verifying the signature, without a transparency log. */
export const cosign: ClientProgram = { whyNot: () => whyNotRun("cosign"), open };

async function open({ folder, host, archive, scheme, env: given }: ClientPlace) {
  const config = join(folder.path, "config");
  const env = { ...given, DOCKER_CONFIG: config, COSIGN_PASSWORD: "", HOME: folder.path };
  const plain = scheme === "http" ? ["--allow-http-registry"] : [];
  const run = (...words: readonly string[]) => outputOf("cosign", words, { env });
  const key = join(folder.path, "cosign");
  await run("generate-key-pair", "--output-key-prefix", key);
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("cosign", ["login", "--username", username, "--password-stdin", host], { env, stdin }),
    logout: () => rm(config, { recursive: true }),
    async push(reference: string) {
      await run("upload", "blob", ...plain, "--files", archive, reference);
      await run("sign", ...plain, "--yes", "--key", `${key}.key`, "--tlog-upload=false", reference);
    },
    async pull(reference: string) {
      const offline = ["--insecure-ignore-tlog", "--output", "json"];
      const [verified] = JSON.parse(await run("verify", ...plain, "--key", `${key}.pub`, ...offline, reference));
      return verified.critical.image["docker-manifest-digest"];
    },
    async [Symbol.asyncDispose]() {},
  };
}
