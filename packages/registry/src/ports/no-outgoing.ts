import { invalidRequest } from "../errors.ts";
import type { OutgoingGuard } from "../ports.ts";

/** Refuses every outgoing request. It is the port of registries that are configured without a client for such requests. */
export const noOutgoing: OutgoingGuard = {
  async check(host) {
    throw refused(host);
  },
  async send(url) {
    throw refused(new URL(url).host);
  },
};

function refused(host: string) {
  return invalidRequest(`${host}: this registry sends no requests to other hosts`);
}
