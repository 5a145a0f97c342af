"""Real Kafka brokers as local processes on the loopback address, and CPU limits for processes."""

import contextlib
import os
import shutil
import socket
import subprocess
import time

from link import Link

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
JAVA = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
CLASS_PATH = os.path.join(HOME, "target", "plimsoll.jar") + ":" + os.path.join(HOME, "target", "lib", "*")
CLUSTER_ID = "xN3IxL6vRNKeDQ-OPdVH0A"
PATIENCE_SECONDS = 180
# Only the first broker is a controller: three controllers would use more CPU without a benefit for these plants.
CONFIG = {
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,OUTSIDE:PLAINTEXT,BETWEEN:PLAINTEXT",
    "inter.broker.listener.name": "PLAINTEXT",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.num.partitions": "4",
    "group.initial.rebalance.delay.ms": "0",
    "auto.create.topics.enable": "false",
    "log.cleaner.dedupe.buffer.size": "4194304",
}


def free_ports(count):
    held = [socket.socket() for _ in range(count)]
    try:
        for s in held:
            s.bind(("127.0.0.1", 0))
        return [s.getsockname()[1] for s in held]
    finally:
        for s in held:
            s.close()


class Brokers:
    """A cluster; use as a context manager. Its processes read a pipe of this process, so they end even if it is killed. `link`
    contains the arguments of a Link between clients and each broker, and `between` of a Link for the traffic between brokers.
    Each broker has `disks` log directories. `prepare` is called with the cluster when all brokers listen."""

    def __init__(self, work, name, count=1, config=None, jvm=("-Xms256m", "-Xmx1024m"), link=None, between=None, disks=1,
                 prepare=None):
        self.directory = os.path.join(work, name)
        self.count = count
        self.config = config or {}
        self.jvm = list(jvm)
        self.link = link
        self.between = between
        self.disks = disks
        self.prepare = prepare
        self.links = []
        self.processes = []
        ports = free_ports(6 * count + 1)
        self.ports, self.jmx, self.outside, self.linked, self.inside, self.joined = (
            ports[i * count:(i + 1) * count] for i in range(6))
        self.controller = ports[-1]

    def __enter__(self):
        try:
            for index in range(self.count):
                self.start(index)
            deadline = time.monotonic() + PATIENCE_SECONDS
            for index in range(self.count):
                self.await_port(index, deadline)
            if self.prepare:
                self.prepare(self)
            return self
        except BaseException:
            self.__exit__()
            raise

    def start(self, index):
        node = os.path.join(self.directory, "node-%d" % (index + 1))
        os.makedirs(node)
        roles = "broker,controller" if index == 0 else "broker"
        listeners = "PLAINTEXT://127.0.0.1:%d" % self.ports[index]
        replicas = str(min(3, self.count))
        config = dict(CONFIG, **{
            "process.roles": roles,
            "node.id": str(index + 1),
            "controller.quorum.voters": "1@127.0.0.1:%d" % self.controller,
            "listeners": listeners + (",CONTROLLER://127.0.0.1:%d" % self.controller if index == 0 else ""),
            "log.dirs": ",".join(self.disk(index + 1, d) for d in range(1, self.disks + 1)),
            "offsets.topic.replication.factor": replicas,
            "transaction.state.log.replication.factor": replicas,
            "transaction.state.log.min.isr": str(min(2, self.count)),
        })
        if self.link:
            self.links.append(Link(self.linked[index], self.outside[index], **self.link))
            config["advertised.listeners"] = listeners + ",OUTSIDE://127.0.0.1:%d" % self.linked[index]
            config["listeners"] += ",OUTSIDE://127.0.0.1:%d" % self.outside[index]
        if self.between:
            self.links.append(Link(self.joined[index], self.inside[index], **self.between))
            advertised = config.get("advertised.listeners", listeners)
            config["advertised.listeners"] = advertised + ",BETWEEN://127.0.0.1:%d" % self.joined[index]
            config["listeners"] += ",BETWEEN://127.0.0.1:%d" % self.inside[index]
            config["inter.broker.listener.name"] = "BETWEEN"
        config.update(self.config)
        properties = os.path.join(node, "server.properties")
        with open(properties, "w") as f:
            f.writelines("%s=%s\n" % pair for pair in sorted(config.items()))
        log = os.path.join(node, "broker.log")
        jmx = "-Dcom.sun.management.jmxremote"
        with open(os.path.join(node, "broker.out"), "wb") as out:
            self.processes.append(subprocess.Popen(
                [JAVA, *self.jvm, "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35",
                 "-Djava.awt.headless=true", "-Djava.rmi.server.hostname=127.0.0.1", jmx, jmx + ".host=127.0.0.1",
                 "%s.port=%d" % (jmx, self.jmx[index]), "%s.rmi.port=%d" % (jmx, self.jmx[index]),
                 jmx + ".authenticate=false", jmx + ".ssl=false", "-Dplimsoll.broker.log=" + log,
                 "-Dlog4j2.configurationFile=classpath:io/plimsoll/lab/broker-log4j2.xml", "-cp", CLASS_PATH,
                 "io.plimsoll.lab.BrokerMain", CLUSTER_ID, properties, "bound", "formatted"],
                stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, start_new_session=True))

    def await_port(self, index, deadline):
        while True:
            if self.processes[index].poll() is not None or time.monotonic() > deadline:
                raise SystemExit("broker %d of %s did not start: see %s" % (index + 1, self.directory, os.path.join(
                    self.directory, "node-%d" % (index + 1))))
            try:
                socket.create_connection(("127.0.0.1", self.ports[index]), 1).close()
                return
            except OSError:
                time.sleep(0.2)

    def disk(self, broker, number):
        """Returns the log directory of a broker on disk `number` (from 1); the first one also contains the metadata."""
        return os.path.join(self.directory, "node-%d" % broker, "data" if number == 1 else "data-%d" % number)

    def pid(self, broker):
        return self.processes[broker - 1].pid

    def bootstrap(self):
        return ",".join("127.0.0.1:%d" % p for p in (self.linked if self.link else self.ports))

    def options(self):
        """Returns options of ./plimsoll: the bootstrap servers, and the JMX address of each broker."""
        jmx = [o for i, p in enumerate(self.jmx) for o in ("--jmx", "%d=127.0.0.1:%d" % (i + 1, p))]
        return ["--bootstrap-server", self.bootstrap(), *jmx]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait(30)
            process.stdin.close()
        for link in self.links:
            link.close()
        shutil.rmtree(self.directory, ignore_errors=True)


class CpuLimit:
    """A cgroup (v1 or v2) with a CPU limit in cores; use as a context manager."""

    PERIOD_MICROS = 100_000

    def __init__(self, name):
        self.second = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
        root = "/sys/fs/cgroup" if self.second else "/sys/fs/cgroup/cpu"
        self.directory = os.path.join(root, "blind-limits-%d-%s" % (os.getpid(), name))

    def __enter__(self):
        try:
            os.mkdir(self.directory)
            if self.second:
                self.write("cpu.max", "max %d" % self.PERIOD_MICROS)
            else:
                self.write("cpu.cfs_period_us", str(self.PERIOD_MICROS))
        except OSError as e:
            raise SystemExit("this plant takes a control group with a limit of CPU, as root has it: %s" % e)
        return self

    def write(self, file, text):
        with open(os.path.join(self.directory, file), "w") as f:
            f.write(text)

    def take(self, pid, file="cgroup.procs"):
        """Moves a process, with its future children, into the cgroup. With the file "tasks" (v1 only), moves a single thread."""
        self.write(file, str(pid))

    def set(self, cores):
        """Sets the limit in cores; None removes it."""
        quota = -1 if cores is None else int(cores * self.PERIOD_MICROS)
        if self.second:
            self.write("cpu.max", "%s %d" % ("max" if quota < 0 else quota, self.PERIOD_MICROS))
        else:
            self.write("cpu.cfs_quota_us", str(quota))

    def __exit__(self, *_):
        if not os.path.isdir(self.directory):
            return
        self.set(None)
        file = "cgroup.procs" if self.second else "tasks"
        deadline = time.monotonic() + 10
        while True:
            with open(os.path.join(self.directory, file)) as f:
                left = f.read().split()
            for pid in left:
                with contextlib.suppress(ProcessLookupError), open(os.path.join(os.path.dirname(self.directory), file), "w") as f:
                    f.write(pid)
            try:
                os.rmdir(self.directory)
                return
            except OSError:
                # A killed process stays in the group until it has ended.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
