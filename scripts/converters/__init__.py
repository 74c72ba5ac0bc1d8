"""Converters of public data sets to the native format (docs/trajectory-format.md).

Each module named in DATASETS has `convert(folder, report)`, which yields native dialogues and tells the report what it
leaves out; its first doc line says what it reads. To add a data set: write a module, name it here, test it in
tests/convert.
"""

DATASETS = {
    "acebench": "acebench",
    "api-bank": "api_bank",
    "functionchat": "functionchat",
    "hammerbench": "hammerbench",
    "multiwoz": "multiwoz",
    "nestful": "nestful",
    "sgd": "sgd",
    "sgd-x": "sgd_x",
    "tau-bench": "tau_few_shot",
    "toolalpaca": "toolalpaca",
    "tooltalk": "tooltalk",
}
