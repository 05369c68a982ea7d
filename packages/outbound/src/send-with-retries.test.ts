import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openOutbound } from "./outbound.ts";
import { sendWithRetries } from "./send-with-retries.ts";

/** The answers of the server, in order; `cut` closes the connection. */
let answers: (number | "cut" | { readonly status: number; readonly retryAfter: string })[] = [];
let slept: number[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const answer = answers.shift() ?? 200;
    if (answer === "cut") return void request.socket.destroy();
    const { status, retryAfter = undefined } = typeof answer === "number" ? { status: answer } : answer;
    const headers: IncomingHttpHeaders = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    response.writeHead(status, headers).end(`answer ${status}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());
beforeEach(() => {
  slept = [];
});

const retry = {
  attempts: 3,
  firstDelayMs: 100,
  maxDelayMs: 1000,
  maxRetryAfterMs: 60_000,
  sleep: async (delayMs: number) => slept.push(delayMs),
  random: () => 1,
};

it.each([
  { case: "a success", given: [200], status: 200, pauses: [] },
  { case: "a refusal", given: [404], status: 404, pauses: [] },
  { case: "a server that is busy for a while", given: [503, 429, 200], status: 200, pauses: [100, 200] },
  { case: "a connection that the server closed meanwhile", given: ["cut", 200] as const, status: 200, pauses: [] },
  { case: "a broken connection", given: ["cut", "cut", "cut", 200] as const, status: 200, pauses: [100] },
  { case: "a server that stays busy", given: [503, 503, 502], status: 502, pauses: [100, 200] },
  { case: "a pause that is asked for", given: [{ status: 429, retryAfter: "7" }, 200], status: 200, pauses: [7000] },
  {
    case: "a pause as a date",
    given: [{ status: 503, retryAfter: "Thu, 01 Jan 1970 00:00:10 GMT" }, 200],
    status: 200,
    pauses: [9000],
  },
  { case: "a pause that is too long", given: [{ status: 429, retryAfter: "61" }, 200], status: 429, pauses: [] },
])("sends again as far as it helps: $case", async ({ given, status, pauses }) => {
  await using outbound = openOutbound({ policy: "trusted", connectMs: 5_000, idleMs: 5_000 });
  answers = [...given];
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  const response = await sendWithRetries(() => outbound.send({ url }), { retry, now: () => 1000 });

  expect(response.status).toBe(status);
  expect(await text(response.body)).toBe(`answer ${status}`);
  expect(slept).toEqual(pauses);
});
