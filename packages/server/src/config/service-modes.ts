import { UsageError } from "../cli/exit-code.ts";
import { type Kind, someOf } from "./setting-kind.ts";

/** Every mode there is, a line each. The absent ones belong to a part that this release does not have. */
const modes = {
  all: "present",
  indexer: "present",
  matcher: "present",
  notifier: "present",
  registry: "absent",
  worker: "absent",
} as const satisfies Readonly<Record<string, "present" | "absent">>;

type ModeWord = keyof typeof modes;

/** What a process of `plimsoll serve` can be. */
export type ServiceMode = { [Word in ModeWord]: (typeof modes)[Word] extends "present" ? Word : never }[ModeWord];

const words = Object.keys(modes) as readonly ModeWord[];

/** The modes of this release. */
export const serviceModes: readonly ServiceMode[] = words.filter(isPresent);

/** Some modes, separated by commas or blanks or as a list. */
export const modeWords: Kind<readonly ModeWord[]> = {
  ...someOf(words),
  expected: `some of ${serviceModes.join(", ")}`,
};

/** The modes that were asked for. @throws UsageError when this release does not have one of them */
export function modesOf(given: readonly ModeWord[]): readonly ServiceMode[] {
  const absent = given.find((word) => !isPresent(word));
  if (absent === undefined) return given.filter(isPresent);
  throw new UsageError(`mode ${absent}: this release has no registry; expected ${modeWords.expected}`);
}

function isPresent(word: ModeWord): word is ServiceMode {
  return modes[word] === "present";
}
