import { join } from "node:path";
import { digestOf } from "@plimsoll/testing";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { tempFolder } from "../temp-folder.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";

/** crane of go-containerregistry. */
export const crane: ClientProgram = { whyNot: () => whyNotRun("crane"), open };

async function open({ folder, host, archive, env: given }: ClientPlace) {
  const env = { ...given, DOCKER_CONFIG: join(folder.path, "config") };
  const run = (...words: readonly string[]) => outputOf("crane", words, { env });
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("crane", ["auth", "login", "--username", username, "--password-stdin", host], { env, stdin }),
    logout: () => run("auth", "logout", host),
    push: (reference: string) => run("append", "--new_layer", archive, "--new_tag", reference),
    async pull(reference: string) {
      using place = tempFolder();
      await run("pull", "--format", "oci", reference, join(place.path, "pulled"));
      return digestOf(Buffer.from(await run("manifest", reference)));
    },
    async [Symbol.asyncDispose]() {},
  };
}
