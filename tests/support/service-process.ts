import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { nameSources } from "@plimsoll/testing";
import { environmentName } from "../../packages/server/src/config/settings.ts";
import { plimsollWords, programEnvironment } from "./killed-program.ts";

/** The unit of `/proc`, the same on every machine: `man 5 proc`. */
const ticksPerSecond = 100;

/** Settings of a service by name, as the environment has them. */
export type SettingTexts = Readonly<Record<string, string>>;

/** `plimsoll serve` in a process of its own, at the same address however often it is started. */
export class ServiceProcess implements AsyncDisposable {
  readonly url: string;
  /** Where its second listener is, once it listens. */
  healthUrl = "";
  /** What it logged, in all its lives. */
  readonly log: string[] = [];
  /** How its lives ended that ended by themselves. */
  readonly crashes: (number | NodeJS.Signals | null)[] = [];
  readonly #settings: SettingTexts;
  #child: ChildProcess | undefined;
  #listening = Promise.withResolvers<void>();
  #isListening = false;

  private constructor(settings: SettingTexts, port: number) {
    this.#settings = { ...settings, port: `${port}`, healthPort: "0" };
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts it. Wait for {@link listening} before asking it anything. @param settings perhaps those for the port that it has */
  static async start(settings: SettingTexts | ((port: number) => SettingTexts)): Promise<ServiceProcess> {
    const port = await findFreePort();
    const started = new ServiceProcess(typeof settings === "function" ? settings(port) : settings, port);
    started.#start();
    return started;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** The id of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves when this life of it, or the next, listens. @throws Error when it ended by itself */
  listening(): Promise<void> {
    return this.#listening.promise;
  }

  /** Kills it and starts it again at once, or when `meanwhile` is done. */
  async restart(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.#end("SIGKILL");
    await meanwhile();
    this.#start();
  }

  /** How long the thread that answers requests has computed since the process began, in milliseconds; only on Linux. */
  async mainThreadMs(): Promise<number> {
    const { pid } = this;
    const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [userTicks, systemTicks] = afterName.slice(11, 13).map(Number);
    return (Number(userTicks) + Number(systemTicks)) * (1000 / ticksPerSecond);
  }

  /** The most memory that this life of it has had so far. Linux only. */
  async peakMemoryBytes(): Promise<number> {
    const status = await readFile(`/proc/${this.#child?.pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }

  /** Tells it to stop. @returns its exit code, or the signal that ended it */
  stop(): Promise<number | NodeJS.Signals> {
    return this.#end("SIGTERM");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGKILL");
  }

  #start(): void {
    const settings = Object.entries(this.#settings).map(([name, value]) => [environmentName(name), value]);
    const child = spawn(process.execPath, [...plimsollWords, "serve"], {
      env: { ...programEnvironment, ...Object.fromEntries(settings) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    this.#listening.promise.catch(() => {}); // perhaps no code awaits it
    child.on("exit", (code, signal) => {
      if (this.#child !== child) return;
      this.crashes.push(code ?? signal);
      this.#listening.reject(new Error(`${this.url} ended by itself: ${this.log.at(-1)}`));
    });
    createInterface({ input: child.stderr }).on("line", (line) => {
      this.log.push(nameSources(line));
      if (this.#child !== child || !line.includes('"event":"listening"')) return;
      this.healthUrl = JSON.parse(line).healthAddress;
      this.#isListening = true;
      this.#listening.resolve();
    });
  }

  async #end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const child = this.#child;
    if (child === undefined) return 0;
    this.#child = undefined;
    if (this.#isListening) this.#listening = Promise.withResolvers();
    this.#isListening = false;
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    }
    return child.exitCode ?? child.signalCode ?? 0;
  }
}

/**
 * A port of the loopback interface on which nothing listens, below those that the system gives to outgoing connections:
 * no other program takes it while its process is down.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
