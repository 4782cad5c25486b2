"""Files of firesim/: loading YAML and JSON, and holding them against a schema of firesim/schemas."""

import json
import os

import jsonschema
import yaml


# What load raises where a file is not YAML or JSON
UNREADABLE = (yaml.YAMLError, ValueError)


class Loader(yaml.SafeLoader):
    """FireSim's loader, which would silently let the last of two equal keys win."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        for index, (key, _) in enumerate(node.value):
            if key.value in keys[:index]:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key.value} is there twice", key.start_mark)
        return super().construct_mapping(node, deep)


def no_twins(pairs):
    for index, (key, _) in enumerate(pairs):
        if key in (other for other, _ in pairs[:index]):
            raise ValueError(f"the key {key} is there twice")
    return dict(pairs)


def load(path):
    with open(path) as file:
        return yaml.load(file, Loader) if path.endswith(".yaml") else json.load(file, object_pairs_hook=no_twins)


def schema(folder, name):
    return load(os.path.join(folder, "schemas", name + ".json"))


def violations(document, rules):
    jsonschema.Draft202012Validator.check_schema(rules)
    errors = jsonschema.Draft202012Validator(rules).iter_errors(document)
    return [": ".join(filter(None, [".".join(map(str, error.absolute_path)), error.message]))
            for error in sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])]
