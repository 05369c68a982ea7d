import { texts } from "../texts/texts.ts";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Given, Operation, Parts } from "./operation.ts";

/**
 * Reads what a choice in a list replaces: rows of lists have no entity tag.
 * @param isShown whether it is what the visitor saw
 * @throws ApiError as the registry does for a change of something that is not what was read
 */
export async function readShown<Each extends Parts & { readonly result: object }>(
  operation: Operation<Each>,
  given: Given<Each>,
  isShown: (answer: Each["result"]) => boolean,
): Promise<Each["result"]> {
  const answer = await call(operation, given);
  if (!isShown(answer)) {
    const { title: message } = texts.conflict;
    throw new ApiError({ status: 412, code: "precondition_failed", message, requestId: undefined });
  }
  return answer;
}
