import {
  asList,
  asRecord,
  asText,
  createResolver,
  type Field,
  type Json,
  type Resolve,
  toFields,
} from "./schemas.ts";

export interface Description {
  title: string;
  version: string;
  summary: string;
  prose: string;
  tags: readonly Tag[];
}

interface Tag {
  name: string;
  description: string;
  operations: readonly Operation[];
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  answers: readonly Answer[];
}

export interface Parameter {
  name: string;
  place: "path" | "query" | "header";
  isRequired: boolean;
  description: string;
  schema: Json;
  example: string | null;
}

export interface Answer {
  status: number;
  description: string;
  headers: readonly Header[];
  mediaType: string | null;
  fields: readonly Field[];
  examples: readonly Example[];
}

export interface Header {
  name: string;
  description: string;
  example: string | null;
}

export interface Example {
  name: string;
  summary: string;
  value: unknown;
}

const PLACES = ["path", "query", "header"] as const;
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** Leaves out what is missing or has another form. */
export function readDescription(document: unknown): Description {
  const root = asRecord(document);
  const info = asRecord(root["info"]);
  const operations = readOperations(root);
  return {
    title: asText(info["title"]),
    version: asText(info["version"]),
    summary: asText(info["summary"]),
    prose: asText(info["description"]),
    tags: asList(root["tags"]).map((value) => {
      const { name, description } = asRecord(value);
      return {
        name: asText(name),
        description: asText(description),
        operations: operations
          .filter(({ tags }) => tags.includes(name))
          .map(({ operation }) => operation),
      };
    }),
  };
}

export function findOperation({ tags }: Description, id: string | undefined): Operation | null {
  return (
    tags.flatMap(({ operations }) => operations).find((operation) => operation.id === id) ?? null
  );
}

function readOperations(root: Json): { tags: readonly unknown[]; operation: Operation }[] {
  const resolve = createResolver(root);
  return Object.entries(asRecord(root["paths"])).flatMap(([path, item]) =>
    METHODS.filter((method) => method in asRecord(item)).map((method) => {
      const found = resolve(asRecord(item)[method]);
      const operation = {
        id: asText(found["operationId"]),
        method: method.toUpperCase(),
        path,
        summary: asText(found["summary"]),
        description: asText(found["description"]),
        parameters: asList(found["parameters"]).flatMap((value) =>
          readParameter(resolve(value), resolve),
        ),
        answers: Object.entries(asRecord(found["responses"])).map(([status, value]) =>
          readAnswer(Number(status), resolve(value), resolve),
        ),
      };
      return { tags: asList(found["tags"]), operation };
    }),
  );
}

function readParameter(found: Json, resolve: Resolve): Parameter[] {
  const place = PLACES.find((name) => name === found["in"]);
  if (place === undefined) return [];
  const { name, description, required, schema, example } = found;
  return [
    {
      name: asText(name),
      place,
      isRequired: required === true,
      description: asText(description),
      schema: resolve(schema),
      example: toExampleText(example),
    },
  ];
}

function readAnswer(status: number, found: Json, resolve: Resolve): Answer {
  const [content] = Object.entries(asRecord(found["content"]));
  const body = asRecord(content?.[1]);
  return {
    status,
    description: asText(found["description"]),
    headers: Object.entries(asRecord(found["headers"])).map(([name, value]) => {
      const { description, example } = resolve(value);
      return { name, description: asText(description), example: toExampleText(example) };
    }),
    mediaType: content?.[0] ?? null,
    fields: toFields(body["schema"], resolve),
    examples: Object.entries(asRecord(body["examples"])).map(([name, value]) => {
      const { summary, value: example } = resolve(value);
      return { name, summary: asText(summary), value: example };
    }),
  };
}

function toExampleText(example: unknown): string | null {
  if (typeof example === "string") return example;
  return typeof example === "number" || typeof example === "boolean" ? String(example) : null;
}
