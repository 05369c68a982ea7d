import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

/** What one run of a program said. */
export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program is given besides its arguments. */
export interface ProgramInput {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A program that takes longer is ended. */
const patienceMs = 60_000;

/** Whether a program can be run here. */
export function isInstalled(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  words: readonly string[],
  { env = {}, stdin }: ProgramInput = {},
): Promise<ProgramRun> {
  const child = spawn(program, words, { stdio: "pipe", env: { ...process.env, ...env }, timeout: patienceMs });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said.stderr += chunk;
  });
  child.stdin.on("error", () => {}); // it need not read
  child.stdin.end(stdin);
  const [code] = await once(child, "close");
  return { code, ...said };
}

/** Runs a program that is to succeed. @returns what it wrote @throws Error with what it complained of */
export async function outputOf(program: string, words: readonly string[], input: ProgramInput = {}): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, words, input);
  if (code !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}
