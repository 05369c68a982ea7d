import type { TObject, TSchema } from "typebox";

/** The names of parameters in a path template. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/**
 * The parameters of a path template.
 * @example
 * type Params = PathParams<"/organization/{orgname}/quota/{quota_id}">; // { orgname: string; quota_id: string }
 */
export type PathParams<Path extends string> = { readonly [Name in NamesIn<Path>]: string };

/** A schema for exactly the parameters of a path template. */
export type PathSchema<Path extends string> = TObject<{ [Name in NamesIn<Path>]: TSchema }>;
