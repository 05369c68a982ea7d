import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { environmentName } from "../../packages/server/src/config/settings.ts";
import type { InjectedError } from "./inject-errors.ts";
import { plimsollWords, programEnvironment } from "./killed-program.ts";
import { findFreePort, type SettingTexts } from "./service-process.ts";

/** How a {@link BrokenService} is started. */
export interface BrokenServiceOptions {
  readonly settings: SettingTexts;
  /** Standard error: a descriptor, or a pipe that the test reads or does not read. */
  readonly stderr?: number | "pipe";
  /** The most descriptors that the process may have. */
  readonly maxDescriptors?: number;
}

const injector = fileURLToPath(new URL("inject-errors.ts", import.meta.url));

/** `plimsoll serve` in surroundings that a test breaks. */
export class BrokenService implements AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly healthUrl: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;

  private constructor(port: number, healthPort: number, options: BrokenServiceOptions) {
    const { settings, stderr = "pipe", maxDescriptors } = options;
    const scheme = settings.tlsCertificate === undefined ? "http" : "https";
    this.port = port;
    this.url = `${scheme}://127.0.0.1:${port}`;
    this.healthUrl = `http://127.0.0.1:${healthPort}`;
    const all = Object.entries({ offline: "1", ...settings, port: `${port}`, healthPort: `${healthPort}` });
    const env = {
      ...programEnvironment,
      ...Object.fromEntries(all.map(([name, text]) => [environmentName(name), text])),
    };
    const words = ["--import", injector, ...plimsollWords, "serve"];
    const how: SpawnOptions = { env, stdio: ["ignore", "ignore", stderr, "ipc"] };
    this.child =
      maxDescriptors === undefined
        ? spawn(process.execPath, words, how)
        : spawn("sh", ["-c", `ulimit -n ${maxDescriptors}; exec "$0" "$@"`, process.execPath, ...words], how);
    this.ended = once(this.child, "exit").then(([code, signal]) => code ?? signal);
  }

  /** Starts it. */
  static async open(options: BrokenServiceOptions): Promise<BrokenService> {
    return new BrokenService(await findFreePort(), await findFreePort(), options);
  }

  /** Starts it, and waits until it answers. */
  static async start(options: BrokenServiceOptions): Promise<BrokenService> {
    const service = await BrokenService.open(options);
    const hasEnded = service.ended.then((how) => {
      throw new Error(`it ended with ${how} before it listened`);
    });
    hasEnded.catch(() => {});
    await Promise.race([service.#answers(), hasEnded]);
    return service;
  }

  /** Makes an error in the process that no code handles. */
  inject(error: InjectedError): void {
    this.child.send(error);
  }

  /** The value of a metric, by its name and labels. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.healthUrl}/metrics`)).text();
    const line = text.split("\n").find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }

  /** Tells it to stop. @returns its exit code, or the signal that ended it */
  stop(): Promise<number | NodeJS.Signals> {
    this.child.kill("SIGTERM");
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.ended;
  }

  async #answers(): Promise<void> {
    const isReady = () =>
      fetch(`${this.healthUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
  }
}
