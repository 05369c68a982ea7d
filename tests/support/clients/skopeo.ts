import { join } from "node:path";
import { digestOf } from "@plimsoll/testing";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { tempFolder } from "../temp-folder.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";

/** skopeo, which copies images between registries and folders. */
export const skopeo: ClientProgram = { whyNot: () => whyNotRun("skopeo"), open };

async function open({ folder, host, layout, scheme, env: given }: ClientPlace) {
  const env = { ...given, REGISTRY_AUTH_FILE: folder.write("auth.json", "{}") };
  const verify = `tls-verify=${scheme === "https"}`;
  const run = (...words: readonly string[]) => outputOf("skopeo", ["--insecure-policy", ...words], { env });
  return {
    run,
    login({ username, secret: stdin }: Login) {
      const words = ["login", `--${verify}`, "--username", username, "--password-stdin", host];
      return runProgram("skopeo", words, { env, stdin });
    },
    logout: () => run("logout", host),
    push: (reference: string) => run("copy", `--dest-${verify}`, `oci:${layout}:app`, `docker://${reference}`),
    async pull(reference: string) {
      using place = tempFolder();
      const pulled = `oci:${join(place.path, "pulled")}:it`;
      await run("copy", `--src-${verify}`, `docker://${reference}`, pulled);
      return digestOf(Buffer.from(await run("inspect", "--raw", pulled)));
    },
    async [Symbol.asyncDispose]() {},
  };
}
