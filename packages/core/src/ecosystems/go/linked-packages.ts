import type { Program } from "../../programs/program.ts";
import { eachName, findFunctionNames } from "./function-names.ts";

const decoder = new TextDecoder("latin1");
const dot = 0x2e;
/** More packages than any program has. Limits the memory for a hostile file. */
const maxPackages = 20_000;

/**
 * The import paths of the packages whose functions a Go program has. Functions that are never called are not linked. Undefined if the names cannot
 * be read: the program was linked before Go 1.16 or by another compiler, or its names were obfuscated.
 */
export function linkedPackages(program: Program): ReadonlySet<string> | undefined {
  const names = findFunctionNames(program);
  if (names === undefined) return undefined;
  const found = new Set<string>();
  let last: Uint8Array = new Uint8Array(0);
  for (const name of eachName(program.bytes, names)) {
    if (last.length > 0 && beginsWith(name, last) && name[last.length] === dot) continue;
    const path = packageOf(decoder.decode(name));
    if (path === undefined) continue;
    last = name.slice(0, path.length);
    if (found.size < maxPackages) found.add(unescaped(path));
  }
  return found.has("runtime") ? found : undefined;
}

function beginsWith(name: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at++) if (name[at] !== start[at]) return false;
  return true;
}

/**
 * The package of a function: `a.example/b` of `a.example/b.(*T).M` and of `a.example/b.F[go.shape.int]`. A dot in the last part of a
 * path is escaped. Names with a colon belong to functions that the compiler generates.
 */
function packageOf(name: string): string | undefined {
  const plain = /^[^[(]*/.exec(name)?.[0] ?? "";
  const end = plain.indexOf(".", plain.lastIndexOf("/") + 1);
  if (end <= 0) return undefined;
  const path = plain.slice(0, end);
  return /[:\s]/.test(path) ? undefined : path;
}

function unescaped(path: string): string {
  if (!path.includes("%")) return path;
  return path.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
