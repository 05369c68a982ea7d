import { invalidRequest } from "../errors.ts";
import type { OutgoingGuard } from "../ports.ts";

/** Asks no other host: of a registry that was given nothing to ask with. */
export const noOutgoing: OutgoingGuard = {
  async check(host) {
    throw refused(host);
  },
  async send(url) {
    throw refused(new URL(url).host);
  },
};

function refused(host: string) {
  return invalidRequest(`${host}: this registry asks no other hosts`);
}
