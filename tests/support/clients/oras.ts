import { join } from "node:path";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { tempFolder } from "../temp-folder.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";

/** oras, for which an image is an artifact like others. */
export const oras: ClientProgram = { whyNot: () => whyNotRun("oras"), open };

async function open({ folder, host, layout, scheme, env: given }: ClientPlace) {
  const plain = scheme === "http";
  const env = { ...given, DOCKER_CONFIG: join(folder.path, "config") };
  const run = (...words: readonly string[]) => outputOf("oras", words, { env });
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("oras", ["login", `--plain-http=${plain}`, "--username", username, "--password-stdin", host], {
        env,
        stdin,
      }),
    logout: () => run("logout", host),
    push: (reference: string) => run("cp", "--from-oci-layout", `--to-plain-http=${plain}`, `${layout}:app`, reference),
    async pull(reference: string) {
      using place = tempFolder();
      const to = `${join(place.path, "pulled")}:it`;
      const said = await run("cp", `--from-plain-http=${plain}`, "--to-oci-layout", reference, to);
      return /^Digest: (\S+)$/m.exec(said)?.[1] ?? "";
    },
    async [Symbol.asyncDispose]() {},
  };
}
