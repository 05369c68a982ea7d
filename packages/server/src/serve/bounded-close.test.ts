import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import fastify from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { boundClosing } from "./bounded-close.ts";

const agent = new Agent({ keepAlive: true });
afterEach(() => agent.destroy());

/** A server that answers in two steps, each started by the test. */
async function openServer() {
  const [begun, begin, end] = Array.from({ length: 3 }, () => Promise.withResolvers<void>()) as Steps;
  const app = fastify({ forceCloseConnections: "idle" });
  boundClosing(app);
  app.get("/", async (_, reply) => {
    reply.hijack();
    begun.resolve();
    await begin.promise;
    reply.raw.write("begin");
    await end.promise;
    reply.raw.end("end");
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { app, url, begun: begun.promise, begin, end };
}

type Step = PromiseWithResolvers<void>;
type Steps = [begun: Step, begin: Step, end: Step];

async function ask(url: string): Promise<IncomingMessage> {
  const [answer] = await once(request(url, { agent }).end(), "response");
  return answer;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer) text += chunk;
  return text;
}

// A connection that does not end is destroyed after 10 seconds.
describe("boundClosing", { timeout: 8_000 }, () => {
  it("closes the connection of a pending request after its answer, which announces that", async () => {
    const { app, url, begun, begin, end } = await openServer();
    const asked = ask(url);
    await begun;

    const closed = app.close();
    await expect.poll(() => app.server.listening).toBe(false);
    begin.resolve();
    end.resolve();
    const answer = await asked;

    expect(answer.headers.connection).toBe("close");
    expect(await textOf(answer)).toBe("beginend");
    await closed; // the test ends before the grace does
  });

  it("closes the connection of a started answer when it has ended", async () => {
    const { app, url, begin, end } = await openServer();
    begin.resolve();
    const answer = await ask(url);

    const closed = app.close();
    await expect.poll(() => app.server.listening).toBe(false);
    end.resolve();

    expect(answer.headers.connection).toBe("keep-alive");
    expect(await textOf(answer)).toBe("beginend");
    await closed;
  });
});
