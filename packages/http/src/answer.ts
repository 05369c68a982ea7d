import type { Api } from "./api.ts";
import { isClientGone } from "./client-gone.ts";
import { Exchange } from "./exchange.ts";
import type { Operation } from "./operation.ts";
import { notesOf } from "./request-notes.ts";
import { answered, stepsOf } from "./stage.ts";
import type { Answer } from "./trace-operations.ts";

/** Combines the stages of an API to one function for the requests of an operation. */
export function answerOf<State, Each extends Operation>(
  operation: Each,
  { stages, begin }: Pick<Api<State, Each>, "stages" | "begin">,
): Answer {
  const { id } = operation;
  const steps = stepsOf(operation, stages);
  const newState = begin ?? (() => undefined as State);
  return async (request, reply, route) => {
    notesOf(request.raw).operation = id;
    const exchange = new Exchange<State>({ request, reply, route, state: newState() });
    for (const step of steps) {
      if (isClientGone(reply.raw)) return void reply.hijack(); // nothing is done for a client that does not wait
      const done = step(exchange);
      if (done !== undefined && (done === answered || (await done) === answered)) break;
    }
    return reply.sent ? undefined : reply; // Fastify would await a returned reply, which costs more than most responses
  };
}
