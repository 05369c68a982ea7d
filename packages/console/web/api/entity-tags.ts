import { replaceEqualDeep } from "@tanstack/react-query";

/** The entity tags of answers, for conditional changes. */
const tags = new WeakMap<object, string>();

/** Records the entity tag of an answer. @returns the answer */
export function noteTag<Answer>(answer: Answer, { headers }: Pick<Response, "headers">): Answer {
  const tag = headers.get("etag");
  if (tag !== null && typeof answer === "object" && answer !== null) tags.set(answer, tag);
  return answer;
}

/** The entity tag that an answer had when it was read. */
export function tagOf(answer: object | null | undefined): string | undefined {
  return answer === null || answer === undefined ? undefined : tags.get(answer);
}

/** The headers that make the registry refuse a change if its subject has changed since it was read. */
export function conditionOf(replaced: object | null | undefined): Readonly<Record<string, string>> {
  if (replaced === null) return { "if-none-match": "*" };
  const tag = tagOf(replaced);
  return tag === undefined ? {} : { "if-match": tag };
}

/** Merges a new answer into a cached one: unchanged parts keep their identity, and the result has the tag of the new answer. */
export function shareAnswers(remembered: unknown, answer: unknown): unknown {
  const shared: unknown = replaceEqualDeep(remembered, answer);
  const tag = typeof answer === "object" ? tagOf(answer) : undefined;
  if (tag !== undefined) tags.set(shared as object, tag);
  return shared;
}
