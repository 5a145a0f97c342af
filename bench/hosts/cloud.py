"""Writes the files of a cloud provider's benchmark of its instances, for each row of its two tables."""

import os

HERE = os.path.dirname(os.path.realpath(__file__))
FILES = os.path.join(HERE, "..", "..", "omb", "src", "test", "resources")
CODECS = ["none", "gzip", "snappy", "lz4"]
INSTANCES = [20, 600, 1600]
TOPICS = ["topic_%d" % (i + 1) for i in range(10)]
PARTITIONS = 4
# The divisor of the original rates.
SHARE = 100


def changed(text, changes):
    """Returns the text with new values for these keys, which the comments of the files leave to the user."""
    lines = text.splitlines()
    for key, value in changes.items():
        at = [i for i, line in enumerate(lines) if line.strip().startswith(key)]
        if len(at) != 1:
            raise ValueError("%s is there %d times" % (key, len(at)))
        end = lines[at[0]].index(key) + len(key)
        lines[at[0]] = lines[at[0]][:end] + str(value)
    return "\n".join(lines) + "\n"


def read(name):
    with open(os.path.join(FILES, name), encoding="utf-8") as file:
        return file.read()


def write(work, bootstrap):
    """
    Writes the files; returns the arguments of four 'omb' commands: tailing and catch-up reads, each without and with a codec,
    because the record size depends on it.
    """
    for codec in CODECS:
        with open(os.path.join(work, "driver-%s.yaml" % codec), "w", encoding="utf-8") as file:
            file.write(changed(read("driver-cloud.yaml"), {
                "name: ": codec, "bootstrap.servers=": bootstrap, "compression.type=": codec}))
    commands = []
    for scene, backlog in (("tailing", 0), ("catch-up", 1)):
        for kind, size, ratio, codecs in (("plain", 1024, 0.1, CODECS[:1]), ("packed", 2048, 0.5, CODECS[1:])):
            workloads = []
            for instance in INSTANCES:
                name = "%s-%d-%s.yaml" % (scene, instance, kind)
                with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                    file.write(changed(read("cloud.yaml"), {
                        "partitionsPerTopic: ": PARTITIONS, "consumerPerSubscription: ": PARTITIONS,
                        "producersPerTopic: ": 1 if instance == 20 else PARTITIONS, "messageSize: ": size,
                        "randomBytesRatio: ": ratio, "producerRate: ": instance * 512 // SHARE,
                        "consumerBacklogSizeGB: ": backlog}))
                workloads.append(name)
            commands.append(["--drivers", ",".join("driver-%s.yaml" % c for c in codecs), *workloads])
    return commands
