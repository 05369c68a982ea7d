import { superusers } from "@plimsoll/registry/access/on-account";
import type { SettingInForce } from "@plimsoll/registry/ports";
import { type Static, Type } from "typebox";
import { operation } from "../../operation.ts";

const Setting = Type.Object({
  name: Type.String(),
  group: Type.String({ description: "The title of the settings that it belongs to" }),
  meaning: Type.String({ description: "Its meaning, in Markdown" }),
  default: Type.String({ description: "The value if it is not set" }),
  value: Type.Union([Type.String(), Type.Null()], {
    description: "The configured value, as JSON without credentials; null for secrets and for the default",
  }),
  secret: Type.Boolean({ description: "The value is never shown" }),
  source: Type.Enum(["flag", "environment", "file", "default"], { description: "Where it was set" }),
  file: Type.Union([Type.String(), Type.Null()], { description: "The path of the configuration file" }),
});

function settingView({ value, isSecret, file, ...setting }: SettingInForce): Static<typeof Setting> {
  return { ...setting, value: value ?? null, secret: isSecret, file: file ?? null };
}

const listSettings = operation({
  tag: "superuser",
  isOwn: true,
  access: superusers,
  id: "listSettings",
  method: "GET",
  path: "/superuser/settings",
  summary: "Every setting of the answering process: its value, default, source and meaning.",
  success: 200,
  result: Type.Object({
    settings: Type.Union([Type.Array(Setting), Type.Null()], {
      description: "null where a program of the operator's own starts the registry",
    }),
  }),
  handle: async (_, { settingsInForce }) => ({
    settings: settingsInForce.length === 0 ? null : settingsInForce.map(settingView),
  }),
});

/** The settings in force, for superusers. */
export const settingOperations = [listSettings];
