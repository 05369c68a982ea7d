import type { AnyOperation } from "../operation.ts";
import { errorDescriptionOperations } from "./error-descriptions.ts";
import { globalMessageOperations } from "./global-messages.ts";

/** Every operation of the management API. */
export const registryOperations: readonly AnyOperation[] = [...errorDescriptionOperations, ...globalMessageOperations];
