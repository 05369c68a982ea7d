import { texts } from "../texts/texts.ts";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Given, Operation, ResultOf } from "./operation.ts";

/**
 * Reads the state that a change in a list replaces: rows of lists have no entity tags.
 * @param isShown whether the state is what the visitor saw
 * @throws ApiError with status 412 if it is not, as the registry does for a change with an outdated entity tag
 */
export async function readShown<Each extends Operation>(
  operation: Each,
  given: Given<Each>,
  isShown: (answer: ResultOf<Each>) => boolean,
): Promise<ResultOf<Each>> {
  const answer = await call(operation, given);
  if (!isShown(answer)) {
    const { title: message } = texts.conflict;
    throw new ApiError({ status: 412, code: "precondition_failed", message, requestId: undefined });
  }
  return answer;
}
