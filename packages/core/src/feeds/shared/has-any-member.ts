import { isAbsent, type JsonPlace, memberAt } from "../../model/json-place.ts";

/** Whether an object has one of some members. A database's repository also has settings of tools, which have none of its advisories' members. */
export function hasAnyMember(place: JsonPlace, names: readonly string[]): boolean {
  const { value } = place;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return names.some((name) => !isAbsent(memberAt(place, name)));
}
