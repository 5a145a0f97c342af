"""Reads a load from the log by librdkafka, which shares no code with Plimsoll or Kafka's own client.

Used by bench/truth/run; requires the package confluent-kafka.
"""

import contextlib
import math
import struct
import time

from confluent_kafka import OFFSET_BEGINNING, TIMESTAMP_LOG_APPEND_TIME, Consumer, KafkaError, KafkaException
from confluent_kafka import TopicPartition

import plant

# A value begins with the id of its run and the time at which it was due, in nanoseconds since the epoch.
STAMP = struct.Struct(">qq")
PERCENTILES = (50, 90, 99, 99.9)
DAMAGED = (KafkaError._BAD_MSG, KafkaError._BAD_COMPRESSION)


def begun(bootstrap, topic, partitions, over):
    """Waits for the first record of a topic, or for `over`; returns whether a record exists."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "truth", "log_level": 3})
    try:
        while not over.wait(0.2):
            with contextlib.suppress(KafkaException):  # leaders may still be elected
                if any(consumer.get_watermark_offsets(TopicPartition(topic, p), 10)[1] for p in range(partitions)):
                    return True
        return False
    finally:
        consumer.close()


def read(bootstrap, topic, partitions, committed=False):
    """Yields (value, append time in ms, (partition, offset)) of all records in the topic, up to the end of its partitions."""
    consumer = Consumer({
        "bootstrap.servers": bootstrap, "group.id": "truth", "log_level": 0, "enable.auto.commit": False,
        "check.crcs": True, "enable.partition.eof": True, "isolation.level": "read_committed" if committed else "read_uncommitted"})
    try:
        consumer.assign([TopicPartition(topic, p, OFFSET_BEGINNING) for p in range(partitions)])
        left, heard = set(range(partitions)), time.monotonic()
        while left:
            messages = consumer.consume(10000, 1)
            if messages:
                heard = time.monotonic()
            elif time.monotonic() - heard > 30:
                raise plant.Failure("the log of %s cannot be read to its end: partitions %s" % (topic, sorted(left)))
            for message in messages:
                if message.error() is None:
                    kind, at = message.timestamp()
                    if kind != TIMESTAMP_LOG_APPEND_TIME:
                        raise plant.Failure("a record of %s has no append time" % topic)
                    yield message.value(), at, (message.partition(), message.offset())
                elif message.error().code() == KafkaError._PARTITION_EOF:
                    left.discard(message.partition())
                elif message.error().fatal() or message.error().code() in DAMAGED:
                    raise plant.Failure("the log of %s cannot be read: %s" % (topic, message.error()))
    finally:
        consumer.close()


class Reading:
    """The due time and the append time of each record in a log, in ns. Waits are in ms."""

    def __init__(self, records, warmup, seconds):
        self.appended, self.due_at, self.twice, runs = {}, {}, 0, set()
        for value, at, place in records:
            run, due = STAMP.unpack_from(value)
            runs.add(run)
            self.due_at[place] = due
            # Threads share one schedule, so the due time identifies the record. A duplicate was sent again, and the later
            # record was answered.
            if due in self.appended:
                self.twice += 1
            # Append times are truncated to whole milliseconds: half a millisecond is missing on average.
            self.appended[due] = max(at * 10**6 + 500_000, self.appended.get(due, 0))
        if len(runs) != 1:
            raise plant.Failure("the log has records of %d runs" % len(runs))
        self.run = runs.pop()
        self.begin = min(self.appended) + round(warmup * 1e9)
        self.end = self.begin + round(seconds * 1e9)

    def waits(self, times):
        """Returns the times in ms from due to these times, sorted, of the records due in the measured window."""
        return sorted((at - due) / 1e6 for due, at in times.items() if self.begin <= due < self.end)


def figures(waits):
    found = {"p%g" % p: waits[math.ceil(len(waits) * p / 100) - 1] for p in PERCENTILES}
    return dict(found, mean=sum(waits) / len(waits), count=len(waits))
