#!/usr/bin/env python3
"""Decodes records of a schema with independent libraries, and counts those that do not conform.

  bench/schemas/decode.py SCHEMA FILE    FILE: one value per line, in hexadecimal digits, without framing
Uses fastavro for .avsc, grpcio-tools for .proto (the message Order), and jsonschema for .json.
"""
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

schema, values = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def avro():
    import fastavro
    parsed = fastavro.parse_schema(json.loads(schema.read_text()))

    def read(value):
        stream = io.BytesIO(value)
        record = fastavro.schemaless_reader(stream, parsed)
        assert not stream.read(), "bytes after the record"
        assert fastavro.validate(record, parsed)
        return record
    return read


def protobuf():
    out = tempfile.mkdtemp()
    files = [str(each) for each in schema.parent.rglob("*.proto")]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", f"-I{schema.parent}", f"--python_out={out}", *files], check=True)
    sys.path.insert(0, out)
    kind = importlib.import_module(schema.stem + "_pb2").Order

    def read(value):
        record = kind.FromString(value)
        assert len(record.SerializeToString()) <= len(value) + 64
        return record
    return read


def json_schema():
    import jsonschema
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))

    def read(value):
        record = json.loads(value)
        validator.validate(record)
        return record
    return read


reader = {".avsc": avro, ".proto": protobuf, ".json": json_schema}[schema.suffix]()
good = bad = 0
for line in values.read_text().splitlines():
    try:
        last = reader(bytes.fromhex(line))
        good += 1
    except Exception as e:  # each library has its own errors
        bad += 1
        print(type(e).__name__, e, file=sys.stderr)
print(f"{schema.name}: {good} records conform, {bad} do not; the last is {last}")
sys.exit(bad > 0)
