import { join } from "node:path";
import { startContainerd, whyNoContainerd } from "@plimsoll/testing";
import { outputOf } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import type { ClientPlace, ClientProgram } from "./registry-client.ts";

/** ctr with a containerd of its own, which runs no containers. */
export const ctr: ClientProgram = { whyNot: whyNoContainerd, open };

async function open({ folder, layout }: ClientPlace) {
  const daemon = await startContainerd(folder.path);
  const archive = join(folder.path, "layout.tar");
  await outputOf("tar", ["-C", layout, "-cf", archive, "."]);
  const run = (...words: readonly string[]) => outputOf("ctr", ["--address", daemon.address, ...words]);
  await run("images", "import", "--no-unpack", "--base-name", "local/image", archive);
  const [imported = ""] = (await run("images", "list", "--quiet")).split("\n");
  let user: readonly string[] = []; // it keeps no credentials
  const plain = () => ["--plain-http", ...user];
  return {
    address: daemon.address,
    run,
    login: async ({ username, secret }: Login) => {
      user = ["--user", `${username}:${secret}`];
      return { code: 0, stdout: "", stderr: "" };
    },
    logout: async () => {
      user = [];
    },
    push: (reference: string) => run("images", "push", ...plain(), reference, imported),
    async pull(reference: string) {
      await run("images", "remove", "--sync", reference);
      await run("content", "fetch", ...plain(), reference);
      const listed = await run("images", "list", `name==${reference}`);
      return /sha256:[0-9a-f]{64}/.exec(listed)?.[0] ?? "";
    },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}
