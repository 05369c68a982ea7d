import { readFile } from "node:fs/promises";
import {
  amqpTransport,
  connectAmqp,
  connectSocket,
  stompTransport,
  type TlsOptions,
  type Transport,
  webhookTransport,
} from "@plimsoll/notifier";
import { productVersion } from "../cli/product-version.ts";
import type { DeliverySettings } from "../config/notification-settings.ts";

const timeout = (delayMs: number): AbortSignal => AbortSignal.timeout(delayMs);

/** How long a broker may be silent. */
const idleMs = 30_000;

/** The transport of the settings. @param sign makes the token of a webhook call */
export async function openTransport(settings: DeliverySettings, sign?: () => Promise<string>): Promise<Transport> {
  switch (settings.kind) {
    case "webhook": {
      const userAgent = `plimsoll/${productVersion}`;
      return webhookTransport({ target: settings.target, userAgent, fetch, timeout, ...(sign && { sign }) });
    }
    case "amqp": {
      const tls = await readTrusted(settings.ca);
      return amqpTransport({
        ...settings,
        connect: connectAmqp({ tls, timeoutMs: idleMs, appId: "plimsoll" }),
        timeout,
      });
    }
    case "stomp": {
      const { tls, ...options } = settings;
      const connect = connectSocket({ ...(tls && { tls: await readTrusted(settings.ca) }), idleMs });
      return stompTransport({ ...options, connect, timeout });
    }
  }
}

async function readTrusted(file: string | undefined): Promise<TlsOptions> {
  return file === undefined ? {} : { ca: await readFile(file, "utf8") };
}
