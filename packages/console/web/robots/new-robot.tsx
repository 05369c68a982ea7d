import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Operation, ResultOf } from "../api/operation.ts";
import { useVisitorCalls } from "../api/use-call.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { usePages } from "../api/use-pages.ts";
import type { Role } from "../permissions/role-select.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { chosenOf, SearchField, SelectField, TextField } from "../shared/fields.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { Paged } from "../shared/paged.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.robots;

/** The owner of robots: the visitor or an organization. */
export interface RobotOwner {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

/** A robot's name with its token, which is shown once. */
export type RobotSecret = Pick<ResultOf<"PUT /user/robots/{robot_shortname}">, "name" | "token">;

interface Props {
  readonly owner: RobotOwner;
  readonly onSecret: (secret: RobotSecret) => void;
  /** What a new robot makes stale. */
  readonly affected: readonly Operation[];
}

/** Creates a robot, and grants it a role on the chosen repositories. */
export function NewRobot({ owner, onSecret, affected }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const creation = useCreation({ owner, onSecret, affected });
  return (
    <ChangeForm
      label={words.create}
      change={creation}
      given={(typed) => ({
        ...{ name: typed("name"), description: typed("description"), repositories: [...chosen] },
        role: chosenOf(texts.permissions.roles, typed("role") || "read"),
      })}
      onDone={() => setChosen(new Set())}
    >
      <TextField name="name" label={words.name} required maxLength={255} rule={words.nameRule} />
      <TextField name="description" label={words.description} maxLength={255} />
      <OnDemand label={words.permissions(chosen.size)}>
        <SelectField name="role" label={texts.permissions.role} options={texts.permissions.roles} />
        <RepositoryChoice namespace={owner.namespace} chosen={chosen} onChoice={setChosen} />
      </OnDemand>
    </ChangeForm>
  );
}

interface ChoiceProps {
  readonly namespace: string;
  readonly chosen: ReadonlySet<string>;
  readonly onChoice: (chosen: ReadonlySet<string>) => void;
}

/** The repositories of a namespace, of which several can be chosen. */
function RepositoryChoice({ namespace, chosen, onChoice }: ChoiceProps) {
  const [part, setPart] = useState("");
  const repositories = usePages("GET /repository", { query: { namespace, public: true } });
  return (
    <fieldset>
      <legend>{words.onRepositories}</legend>
      <SearchField label={texts.namespace.filter} value={part} onValue={setPart} />
      <Paged query={repositories}>
        {(pages) => {
          const names = pages.flatMap((page) => page.repositories.map(({ name }) => name));
          const shown = names.filter((name) => chosen.has(name) || name.includes(part.toLowerCase()));
          if (shown.length === 0) return <p className="empty">{texts.namespace.none}</p>;
          return shown.map((name) => (
            <label key={name} className="choice">
              <input
                type="checkbox"
                checked={chosen.has(name)}
                onChange={() =>
                  onChoice(new Set(chosen.has(name) ? [...chosen].filter((each) => each !== name) : [...chosen, name]))
                }
              />
              <span>{name}</span>
            </label>
          ));
        }}
      </Paged>
    </fieldset>
  );
}

/** The input of the form. */
interface Wanted {
  readonly name: string;
  readonly description: string;
  /** Without their namespace. */
  readonly repositories: readonly string[];
  readonly role: Role;
}

/** The changes that make a robot and its permissions. A robot whose permission was refused is not made again. */
function useCreation({ owner: { namespace, isOrganization }, onSecret, affected }: Props) {
  const { change } = useVisitorCalls();
  const queries = useQueryClient();
  const made = useRef("");
  const create = isOrganization
    ? "PUT /organization/{orgname}/robots/{robot_shortname}"
    : "PUT /user/robots/{robot_shortname}";
  return useOneAtATime({
    mutationFn: async ({ name, description, repositories, role }: Wanted) => {
      if (made.current !== name) {
        const params = { orgname: namespace, robot_shortname: name };
        const secret = await change(create, { params, body: { description } });
        made.current = name;
        onSecret(secret);
      }
      for (const each of repositories) {
        const params = { repository: `${namespace}/${each}`, username: `${namespace}+${name}` };
        await change("PUT /repository/{repository}/permissions/user/{username}", { params, body: { role } });
      }
    },
    onSuccess: () => {
      made.current = "";
    },
    onSettled: () => Promise.all(affected.map((each) => queries.invalidateQueries({ queryKey: [each] }))),
  });
}
