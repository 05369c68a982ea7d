import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A relay to another port of this machine that can be interrupted. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Resets every connection and refuses new ones until {@link restore}. @param onRefused is called for each refused one */
  cut(onRefused?: () => void): void;
  /** Silently drops all data until {@link restore}; connections are still accepted. */
  freeze(): void;
  restore(): void;
}

/** Starts a relay to a port of this machine. */
export async function startRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "frozen" = "open";
  let refused = () => {};
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on("error", () => other.destroy()).on("close", () => other.destroy() && sockets.delete(socket));
    socket.on("data", (chunk) => void (state === "open" && other.write(chunk)));
  };
  const server = createServer((near) => {
    if (state === "cut") {
      near.resetAndDestroy();
      return refused();
    }
    const far = connect(target, "127.0.0.1");
    keep(near, far);
    keep(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: (onRefused = () => {}) => {
      refused = onRefused;
      state = "cut";
      end();
    },
    freeze: () => {
      state = "frozen";
    },
    restore: () => {
      if (state === "frozen") end();
      state = "open";
    },
    [Symbol.asyncDispose]: async () => {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
