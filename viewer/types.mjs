// Writes src/api/schema.d.ts from the OpenAPI description that the Python side prints. PYTHON names the interpreter
// which has ludometer installed.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import openapi, { astToString } from "openapi-typescript";

const python = process.env.PYTHON ?? "python3";
const text = execFileSync(python, ["-m", "ludometer.web.openapi"], { encoding: "utf8", maxBuffer: 1 << 26 });
// The shapes alone: which path answers what is said in src/api/routes.ts.
const nodes = await openapi({ ...JSON.parse(text), paths: {} });
const head = "// Made by `npm run types` from the shapes in src/ludometer/web/shapes.py. Not to be edited.\n\n";
writeFileSync(new URL("src/api/schema.d.ts", import.meta.url), head + astToString(nodes));
