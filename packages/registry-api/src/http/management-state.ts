import type { Exchange } from "@plimsoll/http";
import type { AccessRequest } from "@plimsoll/registry/access/access";
import type { GlobalRole } from "@plimsoll/registry/access/global-role";
import type { AskedList } from "@plimsoll/registry/lists/page-tokens";
import type { Caller } from "./authenticate.ts";
import { noted } from "./noted.ts";

/** A request of the management API on its way through the stages. */
export type ManagementExchange = Exchange<ManagementState>;

/** The state that the stages of the management API share for a request. */
export class ManagementState {
  /** Epoch milliseconds. */
  now = 0;
  /** The request of a list, completed by its page token; only for operations with pages. */
  asked: AskedList | undefined;
  #caller: Caller | undefined;
  #admission: AccessRequest | undefined;

  identified(now: number, caller: Caller): void {
    this.now = now;
    this.#caller = caller;
  }

  admitting(admission: AccessRequest): void {
    this.#admission = admission;
  }

  get caller(): Caller {
    return noted(this.#caller);
  }

  get admission(): AccessRequest {
    return noted(this.#admission);
  }

  get globalRole(): GlobalRole {
    return this.admission.globalRole;
  }
}
