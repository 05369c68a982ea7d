import { registerApi } from "@plimsoll/http";
import type { FastifyInstance } from "fastify";
import type { Distribution } from "./distribution.ts";
import { distributionApi } from "./distribution-api.ts";

/** Serves the distribution protocol under `/v2/` on a Fastify instance. */
export function registerDistribution(app: FastifyInstance, distribution: Distribution): void {
  app.register(async (scope) => registerApi(scope, distributionApi(distribution)));
}
