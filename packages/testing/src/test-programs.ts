import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder where `npm test` has put bundles of the programs that tests start (`tests/support/bundle-programs.ts`); otherwise empty. */
const bundles = () => process.env.PLIMSOLL_TEST_PROGRAMS ?? "";

/** A program that a test starts in a separate process. */
export interface TestProgram {
  readonly path: string;
  /** Options of Node. */
  readonly execArgv: readonly string[];
}

/** The name of a program's bundle: that of its file; for `main.ts`, that of its folder. */
export function bundleName(source: string): string {
  const name = basename(source, ".ts");
  return name === "main" ? basename(dirname(source)) : name;
}

/**
 * How to start a program: its bundle, which starts in a third of the time, or its source where there is none.
 * @param source the location of its source
 *
 *     const { path, execArgv } = testProgram(new URL("fixtures/killed-worker.ts", import.meta.url));
 *     spawn(process.execPath, [...execArgv, path]);
 */
export function testProgram(source: URL): TestProgram {
  const path = fileURLToPath(source);
  const bundle = join(bundles(), `${bundleName(path)}.js`);
  return bundles() !== "" && existsSync(bundle)
    ? { path: bundle, execArgv: [] }
    : { path, execArgv: ["--conditions=plimsoll-source"] };
}

/** Starts a program with an IPC channel. @param words its arguments */
export function forkProgram(source: URL, words: readonly string[]): ChildProcess {
  const { path, execArgv } = testProgram(source);
  return fork(path, words, { execArgv: [...execArgv] });
}

/** Replaces positions in bundles, for example in the stack of an error, by those in their sources. */
export function nameSources(text: string): string {
  const folder = bundles();
  if (folder === "" || !text.includes(folder)) return text;
  return text.replaceAll(/(?:file:\/\/)?(\/[^\s():"]+\.js):(\d+)(?::(\d+))?/g, (place, file, line, column = "1") => {
    if (!file.startsWith(folder) || !existsSync(`${file}.map`)) return place;
    const found = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))).findOrigin(
      Number(line),
      Number(column),
    );
    if (!("fileName" in found)) return place;
    return `${relative(process.cwd(), resolve(dirname(file), found.fileName))}:${found.lineNumber}:${found.columnNumber}`;
  });
}
