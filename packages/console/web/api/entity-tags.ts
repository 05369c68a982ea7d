import { replaceEqualDeep } from "@tanstack/react-query";

/** The entity tags of answers that can be replaced. */
const tags = new WeakMap<object, string>();

/** Notes the entity tag of an answer. @returns the answer */
export function noteTag<Answer>(answer: Answer, { headers }: Pick<Response, "headers">): Answer {
  const tag = headers.get("etag");
  if (tag !== null && typeof answer === "object" && answer !== null) tags.set(answer, tag);
  return answer;
}

/** The entity tag of an answer, as it was read. */
export function tagOf(answer: object | null | undefined): string | undefined {
  return answer === null || answer === undefined ? undefined : tags.get(answer);
}

/** The headers by which a change is refused where something else is there than was read. */
export function conditionOf(replaced: object | null | undefined): Readonly<Record<string, string>> {
  if (replaced === null) return { "if-none-match": "*" };
  const tag = tagOf(replaced);
  return tag === undefined ? {} : { "if-match": tag };
}

/** Keeps the parts of a remembered answer that are the same in a new one, with the tag of the new one. */
export function shareAnswers(remembered: unknown, answer: unknown): unknown {
  const shared: unknown = replaceEqualDeep(remembered, answer);
  const tag = typeof answer === "object" ? tagOf(answer) : undefined;
  if (tag !== undefined) tags.set(shared as object, tag);
  return shared;
}
