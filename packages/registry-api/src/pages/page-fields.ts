import { checkOf } from "@plimsoll/http";
import { invalidRequest } from "@plimsoll/registry/errors";
import { type TObject, type TOptional, type TString, Type } from "typebox";
import type { ReadRequest } from "../http/reply-operation.ts";

/** The fields of a form or a query; of several with the same name, the last. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** The longest text of a field: that of the longest form. */
const maxLength = 65_536;

/** Declares the fields of a form or of a query. Each may be missing: what needs it refuses the request. */
export function fields<const Name extends string>(
  ...names: readonly Name[]
): TObject<Record<Name, TOptional<TString>>> {
  const declared = names.map((name) => [name, Type.Optional(Type.String({ maxLength }))]);
  return Type.Object(Object.fromEntries(declared) as Record<Name, TOptional<TString>>);
}

/** Declares the fields of a form of a page, which has the CSRF token of the session. */
export function formFields<const Name extends string>(...names: readonly Name[]) {
  return fields<Name | "_csrf_token">("_csrf_token", ...names);
}

/** Reads the declared fields of the query and of the form. @throws RegistryError, RequestError */
export const readFields: ReadRequest = ({ query, body }) => {
  const readQuery = readerOf("query", query);
  const readBody = readerOf("body", body);
  return (request) => ({ query: readQuery(request.query), body: readBody(request.body) });
};

function readerOf(part: string, schema: unknown): (given: unknown) => Fields {
  if (schema === undefined) return () => ({});
  const { properties } = schema as TObject;
  const check = checkOf(part, schema as TObject);
  return (given) => {
    const found = Object.entries(fieldsOf(given)).filter(([name]) => Object.hasOwn(properties, name));
    const declared = Object.fromEntries(found);
    check(declared);
    return declared;
  };
}

/** The texts among parsed fields. @throws RegistryError `invalid_request` for U+0000, which PostgreSQL cannot store */
export function fieldsOf(parsed: unknown): Fields {
  return Object.fromEntries(
    Object.entries((parsed ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      if (typeof last !== "string") return [];
      if (last.includes("\u0000")) throw invalidRequest(`${name}: has U+0000 in it`);
      return [[name, last]];
    }),
  );
}
