import { join } from "node:path";
import { digestOf } from "@plimsoll/testing";
import { isInstalled, outputOf, type ProgramRun, runProgram } from "./client-program.ts";
import { type DockerDaemon, startDockerDaemon, whyNoDocker } from "./docker-daemon.ts";
import type { Login } from "./registry-logins.ts";
import { type TempFolder, tempFolder } from "./temp-folder.ts";

/** Where a client works. */
export interface ClientPlace {
  /** Of its own: what it stores and whom it is signed in as. */
  readonly folder: TempFolder;
  /** `HOST:PORT` of a registry that speaks plain HTTP. */
  readonly host: string;
  /** A layer as an archive, and a folder with the image `app` as an OCI layout. */
  readonly archive: string;
  readonly layout: string;
}

/** A program that speaks with registries. */
export interface RegistryClient {
  /** Signs in. @returns how that went */
  login(login: Login): Promise<ProgramRun>;
  logout(): Promise<unknown>;
  /** Pushes something to `HOST:PORT/REPOSITORY:TAG`. */
  push(reference: string): Promise<unknown>;
  /** Pulls as if for the first time. @returns the digest that it found; rejects with what it complained of */
  pull(reference: string): Promise<string>;
  /** Runs it with any words. @returns what it wrote */
  run(...words: readonly string[]): Promise<string>;
}

/** How a client is opened, and why it cannot be here. */
export interface ClientProgram {
  readonly skip: string | undefined;
  open(place: ClientPlace): Promise<RegistryClient & AsyncDisposable>;
}

/** The clients, by name. */
export const registryClients = {
  podman: { skip: whyNot("podman"), open: openPodman },
  docker: { skip: whyNoDocker(), open: openDocker },
  crane: { skip: whyNot("crane"), open: openCrane },
  oras: { skip: whyNot("oras"), open: openOras },
} as const satisfies Readonly<Record<string, ClientProgram>>;

function whyNot(program: string): string | undefined {
  return isInstalled(program) ? undefined : "it is not installed";
}

async function openPodman({ folder, host, archive }: ClientPlace) {
  const policy = folder.write("policy.json", JSON.stringify({ default: [{ type: "insecureAcceptAnything" }] }));
  const places = ["root", "runroot", "tmpdir"].flatMap((name) => [`--${name}`, join(folder.path, name)]);
  const store = [...places, "--storage-driver=vfs", "--cgroup-manager=cgroupfs", "--events-backend=none"];
  const env = { REGISTRY_AUTH_FILE: folder.write("auth.json", "{}") };
  const run = (...words: readonly string[]) => outputOf("podman", [...store, ...words], { env });
  const plain = ["--tls-verify=false", "--signature-policy", policy];
  return {
    run,
    login({ username, secret: stdin }: Login) {
      const words = ["login", "--tls-verify=false", "--username", username, "--password-stdin", host];
      return runProgram("podman", [...store, ...words], { env, stdin });
    },
    logout: () => run("logout", host),
    async push(reference: string) {
      await run("import", "--quiet", archive, reference);
      await run("push", "--quiet", ...plain, reference);
    },
    async pull(reference: string) {
      await run("rmi", "--all", "--force");
      await run("pull", "--quiet", ...plain, reference);
      return (await run("image", "inspect", "--format", "{{.Digest}}", reference)).trim();
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function openDocker({ folder, host, archive }: ClientPlace) {
  const daemon: DockerDaemon = await startDockerDaemon(folder, host);
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

async function openCrane({ folder, host, archive }: ClientPlace) {
  const env = { DOCKER_CONFIG: join(folder.path, "config") };
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

async function openOras({ folder, host, layout }: ClientPlace) {
  const env = { DOCKER_CONFIG: join(folder.path, "config") };
  const run = (...words: readonly string[]) => outputOf("oras", words, { env });
  return {
    run,
    login: ({ username, secret: stdin }: Login) =>
      runProgram("oras", ["login", "--plain-http", "--username", username, "--password-stdin", host], { env, stdin }),
    logout: () => run("logout", host),
    push: (reference: string) => run("cp", "--from-oci-layout", "--to-plain-http", `${layout}:app`, reference),
    async pull(reference: string) {
      using place = tempFolder();
      const to = `${join(place.path, "pulled")}:it`;
      const said = await run("cp", "--from-plain-http", "--to-oci-layout", reference, to);
      return /^Digest: (\S+)$/m.exec(said)?.[1] ?? "";
    },
    async [Symbol.asyncDispose]() {},
  };
}
