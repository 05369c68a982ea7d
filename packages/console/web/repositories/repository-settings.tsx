import { useLocation } from "wouter";
import { useChange } from "../api/use-change.ts";
import { namespacePath } from "../places.ts";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { chosenOf, SelectField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownRepository } from "./repository-name.ts";

const words = texts.repositorySettings;

/** Settings of a repository: visibility, state and deletion. */
export function RepositorySettings({ repository }: { readonly repository: ShownRepository }) {
  const { namespace, name, is_public: isPublic } = repository;
  const params = { repository: `${namespace}/${name}` };
  const [, navigate] = useLocation();
  const visibility = useChange("POST /repository/{repository}/changevisibility", [
    "GET /repository/{repository}",
    "GET /repository",
  ]);
  const changedState = useChange("PUT /repository/{repository}/changestate", [
    "GET /repository/{repository}",
    "GET /repository",
  ]);
  const removal = useChange("DELETE /repository/{repository}", ["GET /repository"]);
  const body = { visibility: isPublic ? "private" : "public" } as const;
  return (
    <div className="fields">
      <section>
        <h2>{words.visibility}</h2>
        <p>{isPublic ? words.isPublic : words.isPrivate}</p>
        <ConfirmedButton
          label={isPublic ? words.makePrivate : words.makePublic}
          consequence={isPublic ? words.madePrivate : words.madePublic}
          change={visibility}
          given={{ params, body }}
        />
      </section>
      <section>
        <h2>{words.state}</h2>
        <EditForm
          label={words.saveState}
          change={changedState}
          given={(typed) => ({ params, body: { state: chosenOf(words.states, typed("state")) } })}
          value={repository}
          fields={({ state }) => (
            <SelectField
              name="state"
              label={words.state}
              options={words.states}
              defaultValue={chosenOf(words.states, state)}
            />
          )}
        />
      </section>
      <section>
        <h2>{words.end}</h2>
        <p>{words.deleted}</p>
        <ConfirmedButton
          label={words.remove}
          consequence={words.deleted}
          typed={params.repository}
          change={removal}
          given={{ params }}
          onDone={() => navigate(namespacePath(namespace))}
        />
      </section>
    </div>
  );
}
