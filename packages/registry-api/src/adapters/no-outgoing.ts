import { invalidRequest } from "../errors.ts";
import type { OutgoingGuard } from "../ports.ts";

/** Refuses every outgoing request: for a registry that was configured without a client for them. */
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
