import { type Api, registerApi, registerFallback } from "@plimsoll/http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ConsoleFiles } from "./console-files.ts";
import { consoleStages, getConsoleFile, showConsole } from "./operations.ts";

/** The path of the page where visitors create an account or recover their password. */
export const accountPage = "/account";

/** Options of {@link registerConsole}. */
export interface ConsoleOptions {
  /** The path prefixes of APIs. A browser that visits an unknown address below one gets the API's error instead of the console. */
  readonly apis: readonly string[];
}

/**
 * Serves the console: its files, and its page at every address that a browser visits and that no other route matches. Programs get the
 * same answers as without a console.
 * @example
 * import fastify from "fastify";
 *
 * declare const files: ConsoleFiles;
 * const app = fastify();
 * registerConsole(app, files, { apis: ["/v2/", "/api/"] });
 * await app.listen({ port: 8080 });
 */
export function registerConsole(app: FastifyInstance, files: ConsoleFiles, { apis }: ConsoleOptions): void {
  const stages = consoleStages(files);
  const isApi = (url: string) => apis.some((prefix) => url.startsWith(prefix));
  registerFallback(app, {
    operation: showConsole,
    stages,
    answers: (request) => isVisit(request) && !isApi(request.url),
  });
  const ofFiles: Api<undefined> = {
    operations: [getConsoleFile],
    stages,
    sendError: (thrown) => {
      throw thrown; // the server's own error handler answers
    },
    maxBodyBytes: 1,
    bodies: "streamed",
  };
  app.register(async (scope) => registerApi(scope, ofFiles));
}

/** Whether a browser opens a page; requests of scripts and programs do not accept HTML. */
function isVisit({ method, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers.accept?.includes("text/html") ?? false;
}
