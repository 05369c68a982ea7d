import type { AnyOperation } from "../operation.ts";
import { discoveryOperations } from "./discovery.ts";
import { errorDescriptionOperations } from "./error-descriptions.ts";
import { globalMessageOperations } from "./global-messages.ts";
import { prototypeOperations } from "./prototypes.ts";
import { usageLogOperations } from "./usage-logs.ts";

const resources: readonly AnyOperation[] = [
  ...errorDescriptionOperations,
  ...globalMessageOperations,
  ...usageLogOperations,
  ...prototypeOperations,
];

/** Every operation of the management API. */
export const registryOperations: readonly AnyOperation[] = [...resources, ...discoveryOperations(resources)];
