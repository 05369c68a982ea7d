import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

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
  if (folder === "") return text;
  const [head = "", ...others] = text.replaceAll(pathToFileURL(folder).href, folder).split(`${folder}/`);
  return head + others.map((part) => nameSource(folder, part)).join("");
}

/** Replaces the position with which a text begins: a file in the folder of bundles, and where in it. */
function nameSource(folder: string, text: string): string {
  const [place = "", name = "", line, column = "1"] = /^([^\s():"/]+\.js):(\d+)(?::(\d+))?/.exec(text) ?? [];
  const map = join(folder, `${name}.map`);
  if (place === "" || !existsSync(map)) return `${folder}/${text}`;
  const found = new SourceMap(JSON.parse(readFileSync(map, "utf8"))).findOrigin(Number(line), Number(column));
  if (!("fileName" in found)) return `${folder}/${text}`;
  const source = relative(process.cwd(), resolve(folder, found.fileName));
  return `${source}:${found.lineNumber}:${found.columnNumber}${text.slice(place.length)}`;
}
