import { AlertIcon } from "@primer/octicons-react";
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { isConflict } from "../api/api-error.ts";
import { Failure } from "../shared/failure.tsx";
import { chosenOf } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.permissions;

/** A role on a repository. */
export type Role = keyof typeof words.roles;

interface Props<Given, Result> {
  /** The name of the account or team that has the role. */
  readonly name: string;
  readonly role: Role;
  readonly change: Pick<UseMutationResult<Result, Error, Given>, "mutate" | "error" | "isPending" | "reset">;
  /** The arguments of the change. */
  readonly given: (role: Role) => Given;
}

/** A role, changed by choosing another. If another user has changed it meanwhile, the visitor sees both roles and chooses one. */
export function RoleSelect<Given, Result>({ name, role, change, given }: Props<Given, Result>) {
  const [mine, choose] = useState(role);
  const make = (chosen: Role) => {
    choose(chosen);
    change.mutate(given(chosen));
  };
  return (
    <>
      <select
        aria-label={words.roleOf(name)}
        value={role}
        disabled={change.isPending}
        onChange={({ target }) => make(chosenOf(words.roles, target.value))}
      >
        {Object.entries(words.roles).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {isConflict(change.error) && (
        <OthersChoice
          mine={words.roles[mine]}
          theirs={words.roles[role]}
          onKeep={() => change.mutate(given(mine))}
          onTake={change.reset}
        />
      )}
      {change.error !== null && !isConflict(change.error) && <Failure error={change.error} />}
    </>
  );
}

const conflictWords = texts.conflict;

interface ChoiceProps {
  /** The text of the visitor's choice. */
  readonly mine: string;
  /** The text of the stored value. */
  readonly theirs: string;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** A conflict between the visitor's choice and that of another user. */
function OthersChoice({ mine, theirs, onKeep, onTake }: ChoiceProps) {
  return (
    <div className="failure" role="alert">
      <p>
        <AlertIcon /> <strong>{conflictWords.title}</strong>
      </p>
      <p>{conflictWords.choice(mine, theirs)}</p>
      <div className="actions">
        <button type="button" onClick={onKeep}>
          {conflictWords.keepMine}
        </button>
        <button type="button" onClick={onTake}>
          {conflictWords.takeTheirs}
        </button>
      </div>
    </div>
  );
}
