import { join } from "node:path";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { tempFolder } from "../temp-folder.ts";
import { type ClientPlace, type ClientProgram, whyNotRun } from "./registry-client.ts";

/** regctl of regclient. */
export const regctl: ClientProgram = { whyNot: () => whyNotRun("regctl"), open };

async function open({ folder, host, layout, scheme, env: given }: ClientPlace) {
  const env = { ...given, REGCTL_CONFIG: join(folder.path, "regctl.json"), DOCKER_CONFIG: join(folder.path, "config") };
  const run = (...words: readonly string[]) => outputOf("regctl", words, { env });
  await run("registry", "set", "--tls", scheme === "http" ? "disabled" : "enabled", "--skip-check", host);
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("regctl", ["registry", "login", "--user", username, "--pass-stdin", host], { env, stdin }),
    logout: () => run("registry", "logout", host),
    push: (reference: string) => run("image", "copy", `ocidir://${layout}:app`, reference),
    async pull(reference: string) {
      using place = tempFolder();
      await run("image", "copy", reference, `ocidir://${join(place.path, "pulled")}:it`);
      return (await run("image", "digest", `ocidir://${join(place.path, "pulled")}:it`)).trim();
    },
    async [Symbol.asyncDispose]() {},
  };
}
