import { useState } from "react";
import { useChange } from "../api/use-change.ts";
import type { Typed } from "../shared/change-form.tsx";
import { EditForm } from "../shared/edit-form.tsx";
import { texts } from "../texts/texts.ts";
import type { ShownRepository } from "./repository-name.ts";

const words = texts.repository;

/** The description of a repository. Accounts with write permission can change it. */
export function Description({ repository }: { readonly repository: ShownRepository }) {
  const [isEditing, setEditing] = useState(false);
  const { description, can_write: mayWrite } = repository;
  if (isEditing) return <DescriptionForm repository={repository} onDone={() => setEditing(false)} />;
  return (
    <>
      <p className="description">{description || words.noDescription}</p>
      {mayWrite && (
        <button type="button" onClick={() => setEditing(true)}>
          {words.edit}
        </button>
      )}
    </>
  );
}

interface FormProps {
  readonly repository: ShownRepository;
  readonly onDone: () => void;
}

function DescriptionForm({ repository, onDone }: FormProps) {
  const change = useChange("PUT /repository/{repository}", ["GET /repository/{repository}"]);
  const params = { repository: `${repository.namespace}/${repository.name}` };
  const given = (typed: Typed) => ({ params, body: { description: typed("description") } });
  return (
    <EditForm
      layout="fields"
      label={words.save}
      change={change}
      given={given}
      value={repository}
      fields={({ description }) => (
        <label>
          {words.description}
          <textarea name="description" rows={12} maxLength={25_000} defaultValue={description} />
        </label>
      )}
      onDone={onDone}
      onCancel={onDone}
    />
  );
}
