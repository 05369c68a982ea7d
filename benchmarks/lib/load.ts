import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A request that is repeated. */
export interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The load on a server. */
export interface Load {
  readonly asked: Asked;
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Repeats a request on some connections as fast as responses arrive, and counts them. It only counts bytes, assuming that all responses
 * have the length of the first, because a client that parsed them would be slower than the servers.
 */
export async function countAnswers(address: string, { asked, connections, seconds }: Load): Promise<number> {
  const { hostname, port } = new URL(address);
  const open = () => connect(Number(port), hostname).setNoDelay();
  const request = requestText(asked);
  const answerBytes = await lengthOfAnswer(open(), request);
  const until = performance.now() + seconds * 1000;
  stayAwake(until);
  const counts = Array.from({ length: connections }, () => askUntil(until, { socket: open(), request, answerBytes }));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Keeps this process from sleeping, because waking a client costs the server time. */
function stayAwake(until: number): void {
  if (performance.now() < until) setImmediate(stayAwake, until);
}

function requestText({ method, path, headers = {}, body = "" }: Asked): string {
  const all = { host: "localhost", ...headers, ...(body !== "" && { "content-length": Buffer.byteLength(body) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

async function lengthOfAnswer(socket: Socket, request: string): Promise<number> {
  socket.write(request);
  let answer = "";
  while (!isWhole(answer)) answer += (await once(socket, "data"))[0].toString("latin1");
  socket.destroy();
  return answer.length;
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = answer.slice(0, end).toLowerCase();
  if (head.includes("transfer-encoding: chunked")) return answer.endsWith("\r\n0\r\n\r\n");
  return answer.length >= end + 4 + Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
}

interface RepeatedRequest {
  readonly socket: Socket;
  readonly request: string;
  readonly answerBytes: number;
}

function askUntil(until: number, { socket, request, answerBytes }: RepeatedRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let count = 0;
  let missing = answerBytes;
  socket.on("data", ({ length }) => {
    missing -= length;
    if (missing > 0) return;
    if (missing < 0) return reject(new Error(`a response is ${-missing} bytes longer than the first one`));
    count += 1;
    missing = answerBytes;
    if (performance.now() < until) socket.write(request);
    else socket.destroy();
  });
  socket.on("error", reject).on("close", () => resolve(count));
  socket.write(request);
  return promise;
}
