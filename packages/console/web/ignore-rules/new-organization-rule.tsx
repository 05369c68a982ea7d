import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";
import { ExpiryField, endOfDay } from "./expiry-field.tsx";
import { affectedByRules } from "./rule-calls.ts";

const words = texts.ignoreRules;

/** Suppresses a vulnerability in all images of an organization, with a reason and an end. */
export function NewOrganizationRule({ organization }: { readonly organization: string }) {
  const change = useChange("POST /organization/{orgname}/ignorerules", affectedByRules);
  const given = (typed: Typed) => {
    const purl = typed("package");
    const rule = {
      vulnerability: typed("vulnerability"),
      reason: typed("reason"),
      expires: endOfDay(typed("expires")),
    };
    return { params: { orgname: organization }, body: { ...rule, package: purl || undefined } };
  };
  return (
    <ChangeForm label={words.add} change={change} given={given}>
      <TextField name="vulnerability" label={words.vulnerability} required maxLength={256} />
      <TextField name="package" label={words.purl} maxLength={1024} rule={words.purlRule} />
      <TextField name="reason" label={words.reason} required maxLength={1000} />
      <ExpiryField />
    </ChangeForm>
  );
}
