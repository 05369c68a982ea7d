import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A received call. */
export interface WebhookCall {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on the loopback interface. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly WebhookCall[];
  /**
   * Sets the answers to calls, in order; the last one repeats. The default is 200. `silent` never answers, `cut` closes the
   * connection.
   */
  answer(...answers: readonly (number | "silent" | "cut")[]): void;
  /** Resolves when so many calls have been received. */
  called(times: number): Promise<void>;
}

/** Starts a receiver. @param onCall is called before each answer, with the number of calls so far */
export async function startWebhookReceiver(onCall: (calls: number) => void = () => {}): Promise<WebhookReceiver> {
  const calls: WebhookCall[] = [];
  const waiting: { readonly times: number; readonly resolve: () => void }[] = [];
  let answers: (number | "silent" | "cut")[] = [200];
  const server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    calls.push({ method, headers, body: await textOf(request) });
    onCall(calls.length);
    for (const { times, resolve } of waiting) if (calls.length >= times) resolve();
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200;
    if (answer === "cut") request.socket.destroy();
    else if (answer !== "silent") response.writeHead(answer, { location: "/elsewhere" }).end("thank you");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    answer: (...list) => {
      answers = [...list];
    },
    called: (times) =>
      new Promise((resolve) => {
        if (calls.length >= times) resolve();
        else waiting.push({ times, resolve });
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
