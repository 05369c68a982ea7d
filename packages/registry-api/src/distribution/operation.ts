import { type ApiTypes, type Nothing, type Operation, operationsFor } from "@plimsoll/http";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { DistributionAccess, DistributionAdmission } from "./access.ts";
import type { Distribution, Endpoint, Exchange } from "./distribution.ts";

/** The context of a handler of the protocol. Handlers write to the raw response, because bodies stream. */
export interface DistributionContext<Named = unknown> {
  readonly distribution: Distribution;
  readonly exchange: Exchange<Named>;
}

/** An operation of the protocol; its path is what follows `/v2`. */
export interface DistributionOperation extends Operation {
  /** With the parameters of its own path. */
  readonly access: DistributionAccess<unknown, never>;
}

/** The types of operations of the protocol. */
interface DistributionTypes extends ApiTypes {
  readonly context: DistributionContext<ParamsOf<this["input"]>>;
  readonly admission: Omit<DistributionAdmission, "params">;
  readonly accessMembers: Pick<DistributionAccess<unknown>, "who">;
  readonly feature: string;
  readonly logKind: LogKind;
  readonly members: object;
  readonly plainResult: Nothing;
  readonly operation: DistributionOperation;
}

type ParamsOf<Given> = Given extends { readonly params: infer Named } ? Named : never;

/** Declares an operation of the protocol. */
export const operation = operationsFor<DistributionTypes>();

/** Wraps an endpoint as a handler. */
export function by<Named, Subject>(endpoint: Endpoint<Named, Subject>) {
  return (
    { subject }: { readonly subject: Subject },
    { distribution, exchange }: DistributionContext<Named>,
  ): Promise<void> => endpoint(distribution, exchange, subject);
}
