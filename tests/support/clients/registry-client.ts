import { isInstalled, type ProgramRun } from "../client-program.ts";
import type { Login } from "../registry-logins.ts";
import type { TempFolder } from "../temp-folder.ts";

/** Where a client works. */
export interface ClientPlace {
  /** Of its own: what it stores and whom it is signed in as. */
  readonly folder: TempFolder;
  /** `HOST:PORT` of a registry. */
  readonly host: string;
  readonly scheme: "http" | "https";
  /** Variables of every run: the certificates to trust, the versions of HTTP to use. */
  readonly env: Readonly<Record<string, string>>;
  /** A layer as an archive, and a folder with the image `app` as an OCI layout. */
  readonly archive: string;
  readonly layout: string;
}

/** A program that speaks with registries. */
export interface RegistryClient {
  /** The socket of its daemon, where it has one. */
  readonly address?: string;
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

/** A client before it is opened. */
export interface ClientProgram {
  /** Why it cannot be opened here; undefined where it can. */
  whyNot(): string | undefined;
  open(place: ClientPlace): Promise<RegistryClient & AsyncDisposable>;
}

/** Why a program cannot be run here; undefined where it can. */
export function whyNotRun(program: string): string | undefined {
  return isInstalled(program) ? undefined : "it is not installed";
}

/** Why a program cannot run that keeps files of other users here; undefined for root. */
export function whyNotRoot(): string | undefined {
  return process.getuid?.() === 0 ? undefined : "it needs root";
}
