import { resolve } from "node:path";
import { UsageError } from "./exit-code.ts";

/** The formats of `plimsoll scan`; the first is the default. */
export const scanFormats = [
  "table",
  "json",
  "ndjson",
  "sarif",
  "cyclonedx",
  "spdx",
  "vex",
  "openvex",
  "markdown",
  "html",
  "junit",
  "csv",
  "gitlab",
  "github",
  "template",
] as const;
/** The formats of `plimsoll index`. */
export const indexFormats = ["table", "json", "ndjson", "cyclonedx", "spdx", "github"] as const;
/** The formats of `plimsoll sbom`; the first is the default. */
export const sbomFormats = [
  "cyclonedx",
  "cyclonedx@1.7",
  "cyclonedx-xml",
  "cyclonedx-xml@1.7",
  "spdx",
  "spdx@3.0.1",
  "github",
  "json",
] as const;
/** The formats of `plimsoll explain`. */
export const explainFormats = ["table", "json", "ndjson"] as const;

/** The formats of `plimsoll affected`. */
export const affectedFormats = ["table", "json", "ndjson"] as const;

/** The formats of `plimsoll why`. */
export const whyFormats = ["table", "json", "ndjson"] as const;

/** The formats of `plimsoll licenses`. */
export const licenseFormats = ["table", "json", "ndjson"] as const;

/** The formats of `plimsoll db status`. */
export const statusFormats = ["table", "json"] as const;

/** The formats of `plimsoll diff`. */
export const diffFormats = ["table", "json", "ndjson", "markdown"] as const;

export type AffectedFormat = (typeof affectedFormats)[number];
export type LicenseFormat = (typeof licenseFormats)[number];
export type StatusFormat = (typeof statusFormats)[number];
export type DiffFormat = (typeof diffFormats)[number];
export type ScanFormat = (typeof scanFormats)[number];
export type IndexFormat = (typeof indexFormats)[number];
export type SbomFormat = (typeof sbomFormats)[number];
export type ExplainFormat = (typeof explainFormats)[number];
type AnyFormat = DiffFormat | ScanFormat | IndexFormat | SbomFormat | ExplainFormat;

/** The formats that can show several images. */
const formatsOfImages: ReadonlySet<string> = new Set<AnyFormat>(["table", "json", "ndjson"]);

/** Other names of formats, mostly those of other scanners. */
const aliases: Readonly<Record<string, AnyFormat>> = {
  cdx: "cyclonedx",
  "cyclonedx@1.6": "cyclonedx",
  "cyclonedx-json": "cyclonedx",
  "cyclonedx-json@1.6": "cyclonedx",
  "cyclonedx-json@1.7": "cyclonedx@1.7",
  "cyclonedx-xml@1.6": "cyclonedx-xml",
  "cyclonedx-vex": "vex",
  "github-json": "github",
  "gitlab-container-scanning": "gitlab",
  jsonl: "ndjson",
  "junit-xml": "junit",
  md: "markdown",
  "sarif-json": "sarif",
  "spdx@2.3": "spdx",
  "spdx@3.0": "spdx@3.0.1",
  "spdx-json": "spdx",
  "spdx-json@2.3": "spdx",
  "spdx-json@3.0": "spdx@3.0.1",
  "spdx-json@3.0.1": "spdx@3.0.1",
  "vex-json": "openvex",
};

/** Endings of file names, the longest first, with their formats. */
const endings: readonly (readonly [ending: string, format: AnyFormat])[] = [
  ["gl-container-scanning-report.json", "gitlab"],
  [".openvex.json", "openvex"],
  [".sarif.json", "sarif"],
  [".spdx3.json", "spdx@3.0.1"],
  [".spdx.json", "spdx"],
  [".cdx.json", "cyclonedx"],
  [".vex.json", "openvex"],
  [".junit.xml", "junit"],
  [".cdx.xml", "cyclonedx-xml"],
  [".markdown", "markdown"],
  [".ndjson", "ndjson"],
  [".sarif", "sarif"],
  [".jsonl", "ndjson"],
  [".csv", "csv"],
  [".html", "html"],
  [".json", "json"],
  [".htm", "html"],
  [".md", "markdown"],
];

/** One `-o`; without a file it goes to standard output. */
export interface OutputTarget<Format extends string> {
  readonly format: Format;
  readonly file?: string;
  /** The file of the template; only where the format is `template`. */
  readonly template?: string;
}

/** The outputs that a command accepts. */
export interface OutputRules<Format extends string> {
  /** The first is the default. */
  readonly formats: readonly [Format, ...Format[]];
  /** Whether the user asked for several images. */
  readonly several?: boolean;
}

/**
 * Parses every `-o`: `FORMAT`, `FORMAT=FILE`, `template=TEMPLATE`, `template=TEMPLATE=FILE`, or a file whose ending names its format.
 * Without any, the default format goes to standard output.
 *
 * @throws UsageError for an unknown format, for several images in a format for one image, and if two results would go to
 * standard output or to the same file
 */
export function parseOutputs<Format extends string>(
  texts: readonly string[],
  rules: OutputRules<Format>,
): readonly OutputTarget<Format>[] {
  const targets = texts.map((text) => parseOutput(text, rules.formats));
  const [usual] = rules.formats;
  const all = targets.length === 0 ? [{ format: usual }] : targets;
  const onStdout = all.filter(({ file }) => file === undefined);
  if (onStdout.length > 1) {
    throw new UsageError(
      `-o: ${onStdout.map(({ format }) => format).join(" and ")} would both go to standard output; give one a file: -o json=FILE`,
    );
  }
  const shared = findSharedFile(all);
  if (shared !== undefined) throw new UsageError(`-o: two results would both go to ${shared}; give each its own file`);
  const single = all.find(({ format }) => !formatsOfImages.has(format));
  if (rules.several === true && single !== undefined) {
    throw new UsageError(`-o: ${single.format} shows one image: choose one --platform instead of all`);
  }
  return all;
}

/** The file of two targets, of which the later one would replace the earlier. Devices such as `/dev/null` take any number. */
function findSharedFile(targets: readonly OutputTarget<string>[]): string | undefined {
  const seen = new Set<string>();
  for (const { file } of targets) {
    if (file === undefined || file.startsWith("/dev/")) continue;
    if (seen.has(resolve(file))) return file;
    seen.add(resolve(file));
  }
  return undefined;
}

function parseOutput<Format extends string>(text: string, formats: readonly Format[]): OutputTarget<Format> {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const format = findFormat(name, formats);
  if (format === undefined) return parseFile(text, formats);
  if (format === "template") return { format, ...parseTemplate(text.slice(name.length + 1)) };
  if (equals < 0) return { format };
  const file = text.slice(equals + 1);
  if (file === "") throw new UsageError(`-o: a file name is missing after "${text}"`);
  return { format, file };
}

/** `TEMPLATE` or `TEMPLATE=FILE` */
function parseTemplate(text: string): { readonly template: string; readonly file?: string } {
  const equals = text.indexOf("=");
  if (text === "" || equals === 0)
    throw new UsageError("-o: the file of the template is missing: -o template=TEMPLATE or -o template=TEMPLATE=FILE");
  if (equals < 0) return { template: text };
  const file = text.slice(equals + 1);
  if (file === "") throw new UsageError(`-o: a file name is missing after "template=${text}"`);
  return { template: text.slice(0, equals), file };
}

function findFormat<Format extends string>(name: string, formats: readonly Format[]): Format | undefined {
  const wanted = Object.hasOwn(aliases, name) ? aliases[name] : name;
  return formats.find((known) => known === wanted);
}

function parseFile<Format extends string>(text: string, formats: readonly Format[]): OutputTarget<Format> {
  const [name = ""] = text.split("=", 1);
  const elsewhere = commandsThatWrite(name);
  if (elsewhere.length > 0) {
    throw new UsageError(
      `-o: "${name}" is not a format of this command; its formats are ${formats.join(", ")}; ${elsewhere.map((each) => `plimsoll ${each}`).join(" and ")} can write it`,
    );
  }
  const [, wanted] =
    endings.find(([ending]) => text.endsWith(ending) && (text !== ending || !ending.startsWith("."))) ?? [];
  const format = formats.find((known) => known === wanted);
  if (format !== undefined && !(name !== text && name.includes("@"))) return { format, file: text };
  throw new UsageError(`-o: "${name}" is not a format; the formats are ${formats.join(", ")}`);
}

/** The commands about an image that have a format. */
function commandsThatWrite(name: string): readonly string[] {
  const all = { scan: scanFormats, sbom: sbomFormats, diff: diffFormats };
  return Object.entries(all).flatMap(([command, formats]) =>
    findFormat(name, formats) === undefined ? [] : [command],
  );
}

/**
 * Every `-o` of a command line. One `-f` may give the format of the one file in `-o`: `-f sarif -o results.txt`.
 *
 * @param output the values of `-o` and `--output`
 * @param format the values of `-f` and `--format`
 */
export function joinOutputs(output: readonly string[], format: readonly string[]): readonly string[] {
  const [file = "", ...otherFiles] = output;
  const [name = "", ...otherNames] = format;
  const isPair = file !== "" && name !== "" && otherFiles.length + otherNames.length === 0;
  const isTemplate = /^template=[^=]+$/.test(name);
  if (!isPair || (/[=.]/.test(name) && !isTemplate && !isFormat(name)) || isFormat(file) || file.includes("="))
    return [...output, ...format];
  return [`${name}=${file}`];
}

function isFormat(name: string): boolean {
  return (
    [...scanFormats, ...sbomFormats, ...diffFormats].some((known) => known === name) || Object.hasOwn(aliases, name)
  );
}
