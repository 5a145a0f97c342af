"""When a producer reported each acknowledgment, as recorded by an interceptor in its JVM (Acknowledged.java)."""

import glob
import os
import struct
import subprocess
import zipfile

import plant

HERE = os.path.dirname(os.path.realpath(__file__))
CLASS = "truth.Acknowledged"
ENTRY = struct.Struct(">iqq")


def agent(work):
    """Compiles the interceptor; returns the jar of the agent that adds it to a JVM."""
    classes, jar = os.path.join(work, "classes"), os.path.join(work, "acknowledged.jar")
    if not os.path.exists(jar):
        subprocess.run(
            [plant.java("javac"), "-d", classes, "-cp", os.path.join(plant.HOME, "target", "lib", "*"),
             os.path.join(HERE, "Acknowledged.java")], check=True, timeout=120)
        with zipfile.ZipFile(jar, "w") as made:
            made.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nPremain-Class: %s\n" % CLASS)
            for path in glob.glob(os.path.join(classes, "truth", "*.class")):
                made.write(path, os.path.relpath(path, classes))
    return jar


def times(path, due_at):
    """Returns, by due time, when the client last reported the record at its partition and offset in the log."""
    with open(path, "rb") as file:
        told = {(partition, offset): at for partition, offset, at in ENTRY.iter_unpack(file.read())}
    return {due_at[where]: at for where, at in told.items() if where in due_at}
