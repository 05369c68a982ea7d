import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import { hasCode } from "@plimsoll/store";
import { credentialHelper } from "./credential-helper.ts";
import type { CredentialSource } from "./credentials.ts";
import { type CredentialFile, dockerCredentials } from "./docker-credentials.ts";

/** The environment variables and folders that configure access to registries and container engines. */
export interface HostEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** The folder of podman's and skopeo's logins if `XDG_RUNTIME_DIR` is not set. */
  readonly loginFolder?: string;
  /** The folder of the user's sockets if `XDG_RUNTIME_DIR` is not set. */
  readonly runtimeFolder?: string;
}

const maxFileBytes = 8 * 1024 * 1024;

/**
 * The environment of this process. Image sources read it only here.
 * @example
 * const { variables, homeFolder } = hostEnvironment();
 */
export function hostEnvironment(): HostEnvironment {
  const userId = process.platform === "linux" ? process.getuid?.() : undefined;
  const folders =
    userId === undefined ? {} : { loginFolder: `/run/containers/${userId}`, runtimeFolder: `/run/user/${userId}` };
  return { variables: process.env, homeFolder: homedir(), ...folders };
}

/**
 * The credentials that docker, podman or skopeo keep on this machine: `$REGISTRY_AUTH_FILE`, then `containers/auth.json` in
 * `$XDG_RUNTIME_DIR` (without it, on Linux, `/run/containers/UID/auth.json`) and in `$XDG_CONFIG_HOME` or `~/.config`, then
 * `config.json` in `$DOCKER_CONFIG` or `~/.docker`. Files are read when credentials are requested; a missing file has none.
 * @see https://github.com/containers/image/blob/main/docs/containers-auth.json.5.md
 * @example
 * const credentials = hostCredentials(hostEnvironment());
 */
export function hostCredentials(host: HostEnvironment): CredentialSource {
  const askHelper = credentialHelper({ environment: host.variables });
  return {
    find: async (name) => {
      for (const path of credentialPaths(host)) {
        const isShared = host.loginFolder !== undefined && path.startsWith(host.loginFolder);
        const file = await readCredentialFile(path, { isShared });
        const found = file === undefined ? undefined : await dockerCredentials(file, askHelper).find(name);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function credentialPaths({ variables, homeFolder, loginFolder }: HostEnvironment): readonly string[] {
  const dockerFile = join(variables.DOCKER_CONFIG || join(homeFolder, ".docker"), "config.json");
  const { REGISTRY_AUTH_FILE: named, XDG_RUNTIME_DIR: runtime, XDG_CONFIG_HOME } = variables;
  const logins = runtime ? join(runtime, "containers") : loginFolder;
  const config = join(XDG_CONFIG_HOME || join(homeFolder, ".config"), "containers");
  const authFiles = [...(logins ? [logins] : []), config].map((folder) => join(folder, "auth.json"));
  return [...(named ? [named] : []), ...authFiles, dockerFile];
}

/** @param path whether it `isShared`: in `loginFolder`, which other users may have made */
async function readCredentialFile(
  path: string,
  { isShared }: { readonly isShared: boolean },
): Promise<CredentialFile | undefined> {
  try {
    const { size } = await stat(path);
    if (size > maxFileBytes) throw new Error(`more than ${maxFileBytes} bytes`);
    return { path, text: await readFile(path, "utf8") };
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
    if (isShared && hasCode(cause, "EACCES")) return undefined; // root's podman makes the folder for root alone
    throw new ScanError("unauthorized", `the credential file ${fileProblem(path, "read", cause)}`, { cause });
  }
}
