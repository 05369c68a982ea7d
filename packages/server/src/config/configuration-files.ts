import { extname, join } from "node:path";
import { fileProblem } from "@plimsoll/core/internal";
import { hasCode } from "@plimsoll/store";
import { UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import type { SettingName } from "./all-settings.ts";
import { readGivenFile, readText } from "./read-given-file.ts";
import { type GivenSettings, settingsOfFile } from "./settings.ts";
import { userFolder } from "./user-folders.ts";

const names = ["plimsoll.yaml", "plimsoll.yml", "plimsoll.json"] as const;

/** The settings of configuration files, and the files they come from. */
export interface FileSettings {
  readonly given: GivenSettings;
  /** The file of each setting. */
  readonly fileOf: Readonly<Partial<Record<SettingName, string>>>;
  readonly files: readonly string[];
}

/**
 * Reads the settings of the file that `--config` or `PLIMSOLL_CONFIG` names. Without either, it reads `plimsoll.yaml`, `.yml` or
 * `.json` in the user's configuration folder, then in the working folder, whose settings win. With an empty `PLIMSOLL_CONFIG` it
 * reads no file.
 * @throws UsageError if a file cannot be read, or a setting is unknown or malformed
 */
export async function readFileSettings(
  named: string | undefined,
  io: Pick<CliIo, "env" | "signal">,
): Promise<FileSettings> {
  const file = named ?? io.env.PLIMSOLL_CONFIG;
  if (file === "") return { given: {}, fileOf: {}, files: [] };
  if (file !== undefined)
    return joined([{ path: file, given: await readSettings(file, await readGivenFile("--config", file, io.signal)) }]);
  const found = [await firstIn(userFolder("configuration", io.env), io.signal), await firstIn(".", io.signal)].filter(
    (each) => each !== undefined,
  );
  return joined(
    await Promise.all(found.map(async ({ path, content }) => ({ path, given: await readSettings(path, content) }))),
  );
}

/** Merges the settings of several files; the last file wins. */
function joined(read: readonly { readonly path: string; readonly given: GivenSettings }[]): FileSettings {
  const fileOf = read.flatMap(({ path, given }) => Object.keys(given).map((name) => [name, path] as const));
  return {
    given: Object.assign({}, ...read.map(({ given }) => given)),
    fileOf: Object.fromEntries(fileOf),
    files: read.map(({ path }) => path),
  };
}

/** The first file in a folder that has one of the known names. */
async function firstIn(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly path: string; readonly content: string } | undefined> {
  for (const name of names) {
    const path = join(folder, name);
    try {
      return { path, content: await readText(path, signal) };
    } catch (error) {
      if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) continue;
      throw new UsageError(fileProblem(path, "read", error), { cause: error });
    }
  }
  return undefined;
}

async function readSettings(file: string, content: string): Promise<GivenSettings> {
  return settingsOfFile(
    file,
    /^\.ya?ml$/.test(extname(file)) ? await parseYaml(file, content) : parseJson(file, content),
  );
}

async function parseYaml(file: string, content: string): Promise<unknown> {
  const { default: yaml } = await import("yaml"); // loaded only for a YAML file
  try {
    return yaml.parse(content, { maxAliasCount: 0, prettyErrors: true, logLevel: "error" }) ?? {};
  } catch (error) {
    throw new UsageError(`${file} is not valid YAML: ${yamlProblem(error as Error)}`);
  }
}

/** What is wrong and where. The rest of the parser's message is left out, because it quotes the file, which may contain secrets. */
function yamlProblem({ message }: Error): string {
  const [first = ""] = message.split("\n");
  const [place = ""] = / at line \d+, column \d+:?$/.exec(first) ?? [];
  const problem = first.slice(0, first.length - place.length).replace('"quote', "quotation mark");
  return `${problem.split(/["'`\\]|(?<! ): /, 1)[0]?.trim()}${place.replace(/:$/, "")}`;
}

function parseJson(file: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const [place = "a value or a mark is missing, or there is one too many"] =
      /position \d+ \(line \d+ column \d+\)$/.exec((error as Error).message) ?? [];
    throw new UsageError(`${file} is not valid JSON: ${place}`);
  }
}
