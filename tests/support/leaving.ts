/** Clients that leave in the middle of a request or a response, and what is left of them in a process. */
import { readdirSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { expect } from "vitest";
import type { ServiceProcess } from "./service-process.ts";

/** Leaves after some bytes, or when nothing more comes. */
export async function leave(socket: Socket, text: string, bytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  socket.on("data", ({ length }: Buffer) => {
    seen += length;
    if (seen >= bytes) resolve();
  });
  socket.on("error", () => {}).once("close", () => resolve());
  socket.setTimeout(quietMs, resolve).write(text);
  if (bytes > 0) await promise;
  socket.destroy();
}

const quietMs = 200;

/** The targets of the descriptors of a process. */
function openLinks(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // closed meanwhile
    }
  });
}

/** How many sockets a process has open. */
export const socketsOf = (pid: number) => openLinks(pid).filter((link) => link.startsWith("socket:")).length;

/** Blobs and parts of uploads that a process has open. */
const blobFilesOf = (pid: number) => openLinks(pid).filter((link) => /\/(?:blobs|uploads)\//.test(link));

/** Waits until a process has nothing of its clients left, and checks that it has had no trouble. */
export async function expectAtRest(service: ServiceProcess, socketsBefore: number): Promise<void> {
  const { pid = 0, healthUrl } = service;
  const figures = async () => {
    const text = await (await fetch(`${healthUrl}/metrics`)).text();
    return text.match(/^plimsoll_(?:open_sends|send_bytes|open_bodies) \d+$/gm);
  };
  const none = ["plimsoll_open_sends 0", "plimsoll_send_bytes 0", "plimsoll_open_bodies 0"];
  await expect.poll(figures).toEqual(none);
  await expect.poll(() => blobFilesOf(pid)).toEqual([]);
  await expect.poll(() => socketsOf(pid)).toBeLessThanOrEqual(socketsBefore + 5); // kept open by `fetch`
  expect(service.crashes).toEqual([]);
  expect(service.log.filter((line) => line.includes("request_failed"))).toEqual([]);
}
