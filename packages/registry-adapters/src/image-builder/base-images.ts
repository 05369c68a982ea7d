import { BuildError } from "@plimsoll/registry/ports/building";

/** Limits of a Dockerfile whose images are read, since it is read on the thread that serves requests. */
const [mostLines, mostImages, mostOptions] = [20_000, 100, 100];

/** The longest text after its variables are replaced: each `ARG B=$A$A` doubles a value. No name of an image is longer. */
const longestText = 4096;

/**
 * The images that the stages of a Dockerfile begin with or copy from, in its order, without `scratch` and the names of stages.
 * Names that cannot be parsed, or are longer than 4,096 characters, are left out.
 *
 * FROM [--flag=value] image [AS name] · COPY --from=image · RUN --mount=from=image
 * @see https://docs.docker.com/reference/dockerfile/#from
 * @example
 * baseImages("ARG TAG=3\nFROM alpine:$TAG AS one\nFROM one", {}); // ["alpine:3"]
 * @throws BuildError for a Dockerfile of more than 20,000 lines, or more than 100 images
 */
export function baseImages(dockerfile: string, given: Readonly<Record<string, string>>): readonly string[] {
  const values = new Map<string, string>();
  const stages = new Set<string>(["scratch"]);
  const images = new Set<string>();
  let stageCount = 0;
  const add = (image: string) => {
    const isStage = stages.has(image.toLowerCase()) || (/^\d+$/.test(image) && Number(image) < stageCount);
    if (image !== "" && !isStage && !/^-|\$/.test(image)) images.add(image);
    if (images.size > mostImages) throw new BuildError(`The Dockerfile uses more than ${mostImages} images`);
  };
  for (const line of instructionsOf(dockerfile)) {
    const [instruction = "", ...words] = line.split(/\s+/);
    const name = instruction.toUpperCase();
    if (name === "ARG" && stageCount === 0) for (const word of words) declare(values, word, given);
    if (name === "FROM") {
      const [image = "", as = "", stage = ""] = words.filter((word) => !isOption(word));
      add(expanded(unquoted(image), values) ?? "");
      if (as.toLowerCase() === "as") stages.add(stage.toLowerCase());
      stageCount++;
    }
    if (name === "COPY" || name === "RUN") for (const option of optionsOf(words)) add(unquoted(fromOf(option)));
  }
  return [...images];
}

function isOption(word: string): boolean {
  return word.startsWith("--");
}

/** The options of an instruction, which are its first words. */
function optionsOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !isOption(word));
  return words.slice(0, Math.min(end === -1 ? words.length : end, mostOptions));
}

/** The image of `--from=IMAGE` and of `--mount=…,from=IMAGE,…`. */
function fromOf(option: string): string {
  const parts = option.replace(/^--(?:mount=)?/, "").split(",");
  return parts.find((part) => part.startsWith("from="))?.slice("from=".length) ?? "";
}

/** The instructions of a Dockerfile, each in one line. */
function instructionsOf(dockerfile: string): readonly string[] {
  const lines = dockerfile.split(/\r?\n/, mostLines + 1);
  if (lines.length > mostLines) throw new BuildError(`The Dockerfile has more than ${mostLines} lines`);
  const continuation = lines.slice(0, 10).some((line) => /^#\s*escape\s*=\s*`/i.test(line)) ? "`" : "\\";
  const instructions: string[] = [];
  let current = "";
  for (const line of lines) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const text = line.trimEnd();
    const isContinued = text.endsWith(continuation);
    current += isContinued ? `${text.slice(0, -1)} ` : text;
    if (isContinued) continue;
    instructions.push(current.trim());
    current = "";
  }
  return current === "" ? instructions : [...instructions, current.trim()];
}

function declare(values: Map<string, string>, word: string, given: Readonly<Record<string, string>>): void {
  const [name = "", ...rest] = word.split("=");
  const value = Object.hasOwn(given, name) ? given[name] : rest.length > 0 ? unquoted(rest.join("=")) : undefined;
  const known = value === undefined ? undefined : expanded(value, values);
  if (known !== undefined) values.set(name, known);
}

/** A text with the values of `$NAME`, `${NAME}`, `${NAME:-word}` and `${NAME:+word}`; undefined if one of the two is too long. */
function expanded(text: string, values: ReadonlyMap<string, string>): string | undefined {
  if (text.length > longestText) return undefined;
  let length = text.length;
  const whole = text.replaceAll(/\$(?:(\w+)|\{(\w+)(?::([-+])([^${}]*))?\})/g, (_, plain, braced, sign, word) => {
    if (length > longestText) return "";
    const value = replacementOf(values.get(plain ?? braced) ?? "", sign, word);
    length += value.length;
    return value;
  });
  return length > longestText ? undefined : whole;
}

function replacementOf(value: string, sign: string | undefined, word: string): string {
  if (sign === "-") return value === "" ? word : value;
  if (sign === "+") return value === "" ? "" : word;
  return value;
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2");
}
