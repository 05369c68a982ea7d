import { join } from "node:path";
import { outputOf, runProgram } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import { tempFolder } from "../temp-folder.ts";
import { type ClientPlace, type ClientProgram, whyNotRoot, whyNotRun } from "./registry-client.ts";

/** podman, as root, with a store of its own. */
export const podman: ClientProgram = { whyNot: () => whyNotRun("podman") ?? whyNotRoot(), open };

async function open({ folder, host, archive, scheme, env: given }: ClientPlace) {
  const policy = folder.write("policy.json", JSON.stringify({ default: [{ type: "insecureAcceptAnything" }] }));
  const places = tempFolder("/tmp"); // podman takes no path of more than 50 characters
  const folders = ["root", "runroot", "tmpdir"].flatMap((name) => [`--${name}`, join(places.path, name)]);
  const store = [...folders, "--storage-driver=vfs", "--cgroup-manager=cgroupfs", "--events-backend=none"];
  const env = { ...given, REGISTRY_AUTH_FILE: folder.write("auth.json", "{}") };
  const run = (...words: readonly string[]) => outputOf("podman", [...store, ...words], { env });
  const verify = `--tls-verify=${scheme === "https"}`;
  const transport = [verify, "--signature-policy", policy];
  return {
    run,
    login({ username, secret: stdin }: Login) {
      const words = ["login", verify, "--username", username, "--password-stdin", host];
      return runProgram("podman", [...store, ...words], { env, stdin });
    },
    logout: () => run("logout", host),
    async push(reference: string) {
      await run("import", "--quiet", archive, reference);
      await run("push", "--quiet", ...transport, reference);
    },
    async pull(reference: string) {
      await run("rmi", "--all", "--force");
      await run("pull", "--quiet", ...transport, reference);
      return (await run("image", "inspect", "--format", "{{.Digest}}", reference)).trim();
    },
    [Symbol.asyncDispose]: async () => places[Symbol.dispose](),
  };
}
