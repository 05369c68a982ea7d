import { anyone } from "@plimsoll/registry/access/on-account";
import { notFound, registryErrorCodes } from "@plimsoll/registry/errors";
import { operation } from "../operation.ts";
import { ApiErrorDescription, errorAddress, errorTypes } from "./api-error.ts";

const getErrorDescription = operation({
  id: "getErrorDescription",
  method: "GET",
  path: "/error/{error_type}",
  summary: "The meaning of an error code.",
  tag: "error",
  access: anyone,
  success: 200,
  result: ApiErrorDescription,
  resultModel: "ApiErrorDescription",
  async handle({ params }, { request }) {
    const code = registryErrorCodes.find((each) => each === params.error_type);
    if (code === undefined)
      throw notFound(`There is no error code of that name: expected ${registryErrorCodes.join(", ")}`);
    return { type: errorAddress(request.origin, code), title: code, description: errorTypes[code].description };
  },
});

/** The operation that describes error codes. */
export const errorDescriptionOperations = [getErrorDescription];
