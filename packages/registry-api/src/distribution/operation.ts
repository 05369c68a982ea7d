import { type Access, type ApiTypes, type Nothing, type Operation, operationsFor } from "@plimsoll/http";
import type { LogKind } from "../values/log-kinds.ts";
import type { Distribution, Endpoint, Exchange } from "./distribution.ts";

/** What a handler of the protocol works with. It answers on the raw response: bodies stream. */
export interface DistributionContext<Named = unknown> {
  readonly distribution: Distribution;
  readonly exchange: Exchange<Named>;
}

/** An operation of the protocol; its path is what follows `/v2`. */
export interface DistributionOperation extends Operation {
  /** Where `anonymous` is false, a request without credentials is answered with a challenge: to get a token for `scope`, if any. */
  readonly access: Access;
}

/** Whether anonymous callers may ask; the handlers admit to the repository, which a push may make. */
export function lettingIn(anonymous: Access["anonymous"], scope?: string) {
  return { anonymous, ...(scope !== undefined && { scope }), admit: async () => undefined } as const;
}

/** The types of operations of the protocol. */
interface DistributionTypes extends ApiTypes {
  readonly context: DistributionContext<ParamsOf<this["input"]>>;
  readonly admission: object;
  readonly accessMembers: object;
  readonly feature: string;
  readonly logKind: LogKind;
  readonly members: object;
  readonly plainResult: Nothing;
  readonly operation: DistributionOperation;
}

type ParamsOf<Given> = Given extends { readonly params: infer Named } ? Named : never;

/** Declares an operation of the protocol. */
export const operation = operationsFor<DistributionTypes>();

/** Wraps a function of the exchange alone as a handler. */
export function by<Named>(endpoint: Endpoint<Named>) {
  return (_: unknown, { distribution, exchange }: DistributionContext<Named>): Promise<void> =>
    endpoint(distribution, exchange);
}
