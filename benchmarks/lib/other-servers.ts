import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A server of another project. Disposing of it stops it. */
export interface OtherServer extends Disposable {
  readonly address: string;
  readonly pid: number;
}

/** Starts Debian's docker-registry with its storage in a folder. */
export async function startDockerRegistry(folder: string): Promise<OtherServer> {
  const port = await freePort();
  const config = {
    version: "0.1",
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, "storage") } },
    http: { addr: `127.0.0.1:${port}` },
  };
  return start(port, "docker-registry", ["serve", write(folder, "registry.json", JSON.stringify(config))]);
}

/** Starts nginx as one process that serves the files of `folder/files`, configured like that of a distribution. */
export async function startNginx(folder: string): Promise<OtherServer> {
  const port = await freePort();
  mkdirSync(join(folder, "files"), { recursive: true });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const config = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {}
    http { ${temporary.join(" ")} access_log off; sendfile on; tcp_nopush on;
      server { listen 127.0.0.1:${port}; root ${folder}/files; } }`;
  return start(port, "nginx", [
    "-p",
    folder,
    "-e",
    join(folder, "error.log"),
    "-c",
    write(folder, "nginx.conf", config),
  ]);
}

function write(folder: string, name: string, content: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function start(port: number, program: string, args: readonly string[]): Promise<OtherServer> {
  const PATH = `${process.env.PATH}:/usr/sbin`;
  const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, PATH } });
  await once(child, "spawn");
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await delay(20);
  }
  return { address: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, [Symbol.dispose]: () => child.kill() };
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The CPU time and peak memory of a process since its start, from Linux. */
export function usedBy({ pid }: { readonly pid: number }): { readonly cpuSeconds: number; readonly peakBytes: number } {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/\(.*\) /, "")
    .split(" ");
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { cpuSeconds: (Number(user) + Number(system)) / ticksPerSecond, peakBytes: Number(peak) * 1024 };
}

/** Resolves when a process has used no CPU time for a while. */
export async function atRest(server: { readonly pid: number }): Promise<void> {
  for (let [before, now] = [-1, 0]; now > before; ) {
    before = usedBy(server).cpuSeconds;
    await delay(100);
    now = usedBy(server).cpuSeconds;
  }
}

/** `USER_HZ`, which is the same on every Linux. */
const ticksPerSecond = 100;
