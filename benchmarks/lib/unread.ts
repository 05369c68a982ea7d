import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";

/** Where clients send their requests. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Opens connections that write a text and never read. */
export async function openIdle({ host, port }: Target, count: number, text: string): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < count; at++) {
    const socket = connect(port, host).on("error", () => {});
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    socket.pause();
    socket.write(text);
    sockets.push(socket);
  }
  return sockets;
}

/** Opens HTTP/2 connections, each with many streams that request a path and have a window of 0. */
export async function openWindowless(
  { host, port }: Target,
  { path, connections, streams }: { readonly path: string; readonly connections: number; readonly streams: number },
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < connections; at++) {
    const options = { rejectUnauthorized: false, settings: { initialWindowSize: 0 } };
    const session = connectHttp2(`https://${host}:${port}`, options).on("error", () => {});
    await once(session, "connect");
    for (let stream = 0; stream < streams; stream++) session.request({ ":path": path }).on("error", () => {});
    sockets.push(session.socket as Socket);
  }
  return sockets;
}

/** Opens connections that pull a path and leave in the middle of it, two requests each. @returns how many could not connect */
export async function leaveEarly(target: Target, rounds: number, text: string): Promise<number> {
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const socket = connect(target.port, target.host).on("error", () => refused++);
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    if (socket.destroyed) continue;
    socket.write(text);
    await Promise.race([once(socket, "data"), once(socket, "close")]);
    socket.destroy();
  }
  return refused;
}
