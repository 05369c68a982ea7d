import { join } from "node:path";
import { outputOf, runProgram } from "../client-program.ts";
import { startDockerDaemon, whyNoDocker } from "../docker-daemon.ts";
import type { Login } from "../registry-logins.ts";
import type { ClientPlace, ClientProgram } from "./registry-client.ts";

/** docker with a daemon of its own, which runs no containers. */
export const docker: ClientProgram = { whyNot: whyNoDocker, open };

async function open({ folder, host, archive }: ClientPlace) {
  const daemon = await startDockerDaemon(host);
  const env = { DOCKER_HOST: daemon.address, DOCKER_CONFIG: join(folder.path, "config") };
  const run = (...words: readonly string[]) => outputOf("docker", words, { env });
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("docker", ["login", "--username", username, "--password-stdin", host], { env, stdin }),
    logout: () => run("logout", host),
    async push(reference: string) {
      await run("import", archive, reference);
      await run("push", reference);
    },
    async pull(reference: string) {
      await run("image", "prune", "--all", "--force");
      return /^Digest: (\S+)$/m.exec(await run("pull", reference))?.[1] ?? "";
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}
