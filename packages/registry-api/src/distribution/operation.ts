import { type ApiTypes, type Nothing, type Operation, operationsFor } from "@plimsoll/http";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import type { TObject, TSchema } from "typebox";
import type { DistributionAccess, DistributionAdmission } from "./access.ts";
import type { Distribution, Endpoint, Exchange } from "./distribution.ts";

/** The context of a handler of the protocol. Handlers write to the raw response, because bodies stream. */
export interface DistributionContext<Named = unknown, Query = unknown> {
  readonly distribution: Distribution;
  readonly exchange: Exchange<Named, Query>;
}

/** An operation of the protocol; its path is what follows `/v2`. */
export interface DistributionOperation extends Operation {
  /** With the parameters of its own path. */
  readonly access: DistributionAccess<unknown, never>;
}

/** The types of operations of the protocol. */
interface DistributionTypes extends ApiTypes {
  readonly context: DistributionContext<ParamsOf<this["input"]>, QueryOf<this["input"]>>;
  readonly admission: Omit<DistributionAdmission, "params">;
  readonly accessMembers: Pick<DistributionAccess<unknown>, "who">;
  readonly feature: string;
  readonly logKind: LogKind;
  readonly members: object;
  readonly plainResult: Nothing;
  readonly operation: DistributionOperation;
}

type ParamsOf<Given> = Given extends { readonly params: infer Named } ? Named : never;
type QueryOf<Given> = Given extends { readonly query: infer Query } ? Query : never;

/** Declares an operation of the protocol. */
export const operation = operationsFor<DistributionTypes>();

/** Wraps an endpoint as a handler. */
export function by<Named, Subject, Query>(endpoint: Endpoint<Named, Subject, Query>) {
  return (
    { subject }: { readonly subject: Subject },
    { distribution, exchange }: DistributionContext<Named, Query>,
  ): Promise<void> => endpoint(distribution, exchange, subject);
}

/** The names and values of a query or a form, in their order. */
type GivenFields = readonly (readonly [name: string, value: unknown])[];

/** Returns a function that picks the fields that a schema declares: of several with the same name the first, or all for a list. */
export function fieldPicker({ properties }: TObject): (given: GivenFields) => Record<string, unknown> {
  return (given) => {
    const found = Object.entries(properties).flatMap(([name, property]) => {
      const values = given.flatMap(([each, value]) => (each === name ? value : []));
      if (values.length === 0) return [];
      return [[name, (property as TSchema & { readonly type?: string }).type === "array" ? values : values[0]]];
    });
    return Object.fromEntries(found);
  };
}
