import type { UseMutationResult } from "@tanstack/react-query";
import { Failure } from "../shared/failure.tsx";
import { chosenOf } from "../shared/select-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.permissions;

/** What may be done with a repository. */
export type Role = keyof typeof words.roles;

interface Props<Given, Result> {
  /** Who has the role. */
  readonly name: string;
  readonly role: Role;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutate" | "error" | "isPending">;
  /** What the change is made with. */
  readonly given: (role: Role) => Given;
}

/** A role that is changed by choosing another. */
export function RoleSelect<Given, Result>({ name, role, change, given }: Props<Given, Result>) {
  return (
    <>
      <select
        aria-label={words.roleOf(name)}
        value={role}
        disabled={change.isPending}
        onChange={({ target }) => change.mutate(given(chosenOf(words.roles, target.value)))}
      >
        {Object.entries(words.roles).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {change.error !== null && <Failure error={change.error} />}
    </>
  );
}
