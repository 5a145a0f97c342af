"""Independent clients: librdkafka in a separate virtual environment."""

import os
import subprocess
import sys
import venv

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def client(packages):
    """Restarts this program in a virtual environment with these packages, which is created in target/ if missing."""
    directory = os.path.join(HOME, "target", "bench-" + "-".join(p.split("=")[0].lower() for p in packages))
    python = os.path.join(directory, "bin", "python")
    made = os.path.join(directory, "+".join(packages))
    if os.path.realpath(sys.prefix) == os.path.realpath(directory):
        return
    if not os.path.exists(made):
        print("making %s" % directory, file=sys.stderr, flush=True)
        venv.create(directory, clear=True, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages], check=True)
        open(made, "w").close()
    os.execv(python, [python, os.path.realpath(sys.argv[0]), *sys.argv[1:]])
