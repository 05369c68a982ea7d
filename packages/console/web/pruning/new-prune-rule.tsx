import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { chosenOf, SelectField } from "../shared/select-field.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { type PruneOwner, type PruneRule, usePruneChanges } from "./prune-calls.ts";

const words = texts.pruning;

/** A rule from the form, without an id. */
export type TypedRule = Omit<PruneRule, "uuid">;

interface Props {
  readonly owner: PruneOwner;
  /** Previews a rule before it is added; undefined if there is no preview. */
  readonly onTry: ((rule: TypedRule) => void) | undefined;
  readonly onDone: () => void;
}

/** Adds a rule that deletes tags. It can be previewed first. */
export function NewPruneRule({ owner, onTry, onDone }: Props) {
  const { created, params } = usePruneChanges(owner);
  const other = onTry && { label: words.preview, act: (typed: Typed) => onTry(ruleOf(typed)) };
  return (
    <ChangeForm
      label={words.add}
      change={created}
      given={(typed) => ({ params, body: ruleOf(typed) })}
      onDone={onDone}
      other={other}
    >
      <SelectField name="method" label={words.method} options={words.methods} />
      <TextField name="value" label={words.value} rule={words.valueRule} required maxLength={20} />
      <TextField name="pattern" label={words.pattern} maxLength={256} />
      <SelectField name="matches" label={words.matches} options={words.matchesOptions} />
    </ChangeForm>
  );
}

function ruleOf(typed: Typed): TypedRule {
  const method = chosenOf(words.methods, typed("method"));
  const value = typed("value");
  return {
    method,
    value: method === "number_of_tags" && value.trim() !== "" ? Number(value) : value,
    tagPattern: typed("pattern") || null,
    tagPatternMatches: typed("matches") === "yes",
  };
}
