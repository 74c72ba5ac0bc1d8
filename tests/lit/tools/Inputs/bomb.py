"""An OpenAPI document in which each schema refers twice to the next one."""

import json

LEVELS = 40
schemas = {
    f"S{n}": {"type": "object", "properties": {k: {"$ref": f"#/components/schemas/S{n + 1}"} for k in "ab"}}
    for n in range(LEVELS)
}
schemas[f"S{LEVELS}"] = {"type": "string"}
content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
paths = {"/a": {"post": {"requestBody": {"content": content}}}}
print(json.dumps({"openapi": "3.1.0", "paths": paths, "components": {"schemas": schemas}}))
