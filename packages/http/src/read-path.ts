import { type ConvertQuery, checkOf, queryConverter } from "./check-input.ts";
import type { Exchange } from "./exchange.ts";
import type { Stage } from "./stage.ts";

/** Checks the path parameters whose format is declared. */
export const readParams: Stage = {
  phase: "read",
  stepFor: ({ params }) => {
    if (params === undefined) return undefined;
    const check = checkOf("path", params);
    return (exchange) => void check(exchange.params);
  },
};

/** Converts and checks the query parameters by their schema. */
export const readQuery: Stage = {
  phase: "read",
  stepFor: ({ query }) => {
    if (query === undefined) return withoutQuery;
    const convert: ConvertQuery = queryConverter(query);
    const check = checkOf("query", query);
    return (exchange) => {
      const converted = convert(exchange.request.query as Record<string, unknown>);
      check(converted);
      exchange.query = converted;
      return undefined;
    };
  },
};

const nothing = Object.freeze({});

function withoutQuery(exchange: Exchange): undefined {
  exchange.query = nothing;
}
