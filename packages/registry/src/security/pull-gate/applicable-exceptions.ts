import { cooperativeYield } from "@plimsoll/store";
import { compileWholePattern, type StoredPattern, sizeOfPattern, usePatterns } from "../../values/patterns.ts";
import type { Gate, GateException } from "./gate.ts";

/** The most instructions of the image patterns of all exceptions of a gate. */
export const maxExceptionsSize = 4000;

/** The most steps of matching for one decision: about half a second, in which other work runs. 200 exceptions of 30 instructions and 100 tags with 40 characters take 24 million. */
const stepsOfDecision = 50_000_000;

/**
 * The exceptions of a gate that are valid now and for an image, in their order. An exception whose pattern cannot be used is for no image,
 * nor is one that is reached when the steps of the decision are used up.
 * @param references `NAMESPACE/NAME:TAG` for each alive tag, and `NAMESPACE/NAME@DIGEST`
 */
export async function applicableExceptions(
  { exceptions }: Pick<Gate, "exceptions">,
  references: readonly string[],
  now: number,
): Promise<readonly GateException[]> {
  const valid = exceptions.filter(({ expires }) => Date.parse(expires) > now);
  const isForImage = matchedInTurns(references);
  const patternOf = patternsOf(valid);
  const applicable: GateException[] = [];
  for (const exception of valid) {
    const { image } = exception;
    if (image === null || (await isForImage(image, patternOf.get(image)))) applicable.push(exception);
  }
  return applicable;
}

/** The patterns of images of exceptions. */
export function patternsOf(exceptions: readonly GateException[]): ReadonlyMap<string, StoredPattern | undefined> {
  const images = [...new Set(exceptions.flatMap(({ image }) => (image === null ? [] : [image])))];
  const patterns = usePatterns(images, { compile: compileWholePattern, mostSteps: maxExceptionsSize });
  return new Map(images.map((image, index) => [image, patterns[index]]));
}

/** Matches one reference at a time and lets other work run between them, until the steps are used up. */
function matchedInTurns(references: readonly string[]) {
  const yieldToOthers = cooperativeYield();
  let left = stepsOfDecision;
  return async (image: string, pattern: StoredPattern | undefined): Promise<boolean> => {
    if (pattern?.kind !== "used") return false;
    const size = sizeOfPattern(image);
    for (const reference of references) {
      left -= size * (reference.length + 1);
      if (left < 0) return false;
      if (pattern.matches(reference)) return true;
      await yieldToOthers();
    }
    return false;
  };
}
