import { type ChildProcess, spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { hasCode } from "@plimsoll/store";
import type { Credential, CredentialSource } from "./credentials.ts";
import { type AskCredentialHelper, type CredentialFile, dockerCredentials } from "./docker-credentials.ts";

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

/** Options of {@link credentialHelper}. */
interface CredentialHelperOptions {
  /** The whole environment of the program; it is found in `PATH`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: 30,000. */
  readonly timeoutMs?: number;
}

const maxOutputBytes = 1024 * 1024;

/**
 * Runs `docker-credential-NAME get`. The program gets the server on standard input and prints a JSON object.
 *
 *     { "ServerURL": …, "Username": …, "Secret": … }     Username "<token>": the secret is an identity token
 *
 * Messages never contain the program's output, which may hold secrets.
 * @see https://github.com/docker/docker-credential-helpers#development
 */
export function credentialHelper(options: CredentialHelperOptions): AskCredentialHelper {
  return async (helper, server) => {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(helper))
      throw failure(helper, "its name has characters other than letters, digits, dot, underscore and hyphen");
    const { exitCode, output } = await run(helper, server, options);
    if (exitCode === 0) return readAnswer(helper, output);
    if (/credentials not found/i.test(output)) return undefined;
    throw failure(helper, `it ended with exit code ${exitCode}`);
  };
}

interface ProgramEnd {
  readonly exitCode: number | null;
  readonly output: string;
}

function run(helper: string, input: string, options: CredentialHelperOptions): Promise<ProgramEnd> {
  const { timeoutMs = 30_000, environment } = options;
  const child = spawn(`docker-credential-${helper}`, ["get"], {
    env: { ...environment },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true, // its own process group, so that its child processes can be killed with it
  });
  const chunks: Buffer[] = [];
  let outputBytes = 0;
  return new Promise<ProgramEnd>((resolve, reject) => {
    const giveUp = (why: string) => {
      clearTimeout(timer);
      killGroup(child);
      child.stdout?.destroy(); // absent if there was no descriptor left for it
      reject(failure(helper, why));
    };
    const timer = setTimeout(() => giveUp(`it did not end within ${timeoutMs} ms`), timeoutMs);
    child.on("error", (error) => giveUp(`it cannot be run (${codeOf(error)}); is it on the PATH?`));
    child.stdout.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes <= maxOutputBytes) chunks.push(chunk);
      else giveUp(`it printed more than ${maxOutputBytes} bytes`);
    });
    child.stdin.on("error", () => {}); // a program that does not read its input reports by its exit code
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, output: Buffer.concat(chunks).toString("utf8") });
    });
    child.stdin.end(input);
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // no process groups here, or all have ended
  }
}

function readAnswer(helper: string, output: string): Credential | undefined {
  const answer = parseAnswer(helper, output);
  const { Username: username, Secret: secret } = answer;
  if (typeof username !== "string" || typeof secret !== "string")
    throw failure(helper, "it printed no Username and Secret");
  if (secret === "") return undefined;
  if (username === "<token>") return { kind: "identity-token", token: secret };
  return { kind: "basic", username, password: secret };
}

function parseAnswer(helper: string, output: string): Readonly<Record<string, Json>> {
  try {
    const answer: unknown = JSON.parse(output);
    if (typeof answer === "object" && answer !== null) return answer as Readonly<Record<string, Json>>;
  } catch {
    // reported below, without the output
  }
  throw failure(helper, "it printed no JSON object");
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : error.name;
}

function failure(helper: string, why: string): ScanError {
  return new ScanError(
    "unauthorized",
    `the credential helper ${JSON.stringify(helper.slice(0, 80))} gave no credential: ${why}`,
  );
}
