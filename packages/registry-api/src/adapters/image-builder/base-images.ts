/**
 * The images that the stages of a Dockerfile begin with or copy from, in its order, without `scratch` and the names of stages.
 * Names that cannot be parsed are left out.
 *
 * FROM [--flag=value] image [AS name] · COPY --from=image · RUN --mount=from=image
 * @see https://docs.docker.com/reference/dockerfile/#from
 * @example
 * baseImages("ARG TAG=3\nFROM alpine:$TAG AS one\nFROM one", {}); // ["alpine:3"]
 */
export function baseImages(dockerfile: string, given: Readonly<Record<string, string>>): readonly string[] {
  const values = new Map<string, string>();
  const stages = new Set<string>(["scratch"]);
  const images = new Set<string>();
  let stageCount = 0;
  const add = (image: string) => {
    const isStage = stages.has(image.toLowerCase()) || (/^\d+$/.test(image) && Number(image) < stageCount);
    if (image !== "" && !isStage && !/^-|\$/.test(image)) images.add(image);
  };
  for (const line of instructionsOf(dockerfile)) {
    const [instruction = "", ...words] = line.split(/\s+/);
    const name = instruction.toUpperCase();
    if (name === "ARG" && stageCount === 0) for (const word of words) declare(values, word, given);
    if (name === "FROM") {
      const [image = "", as = "", stage = ""] = words.filter((word) => !isOption(word));
      add(expanded(unquoted(image), values));
      if (as.toLowerCase() === "as") stages.add(stage.toLowerCase());
      stageCount++;
    }
    if (name === "COPY" || name === "RUN") for (const option of words.filter(isOption)) add(unquoted(fromOf(option)));
  }
  return [...images];
}

function isOption(word: string): boolean {
  return word.startsWith("--");
}

/** The image of `--from=IMAGE` and of `--mount=…,from=IMAGE,…`. */
function fromOf(option: string): string {
  const parts = option.replace(/^--(?:mount=)?/, "").split(",");
  return parts.find((part) => part.startsWith("from="))?.slice("from=".length) ?? "";
}

/** The instructions of a Dockerfile, each in one line. */
function instructionsOf(dockerfile: string): readonly string[] {
  const lines = dockerfile.split(/\r?\n/);
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
  if (value !== undefined) values.set(name, expanded(value, values));
}

/** A text with the values of `$NAME`, `${NAME}`, `${NAME:-word}` and `${NAME:+word}`. */
function expanded(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$(?:(\w+)|\{(\w+)(?::([-+])([^${}]*))?\})/g, (_, plain, braced, sign, word) => {
    const value = values.get(plain ?? braced) ?? "";
    if (sign === "-") return value === "" ? word : value;
    if (sign === "+") return value === "" ? "" : word;
    return value;
  });
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2");
}
