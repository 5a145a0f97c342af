/**
 * Measurement of a load: the clock, histograms, counters, and one-second snapshots. Independent of Kafka and of files.
 *
 * <h2>Clock</h2> All times are {@link System#nanoTime()} on one {@link TrialClock} per worker. {@link WallClock} reads
 * the offset to the wall clock once, so a corrected wall clock does not change a latency. Agents of a fleet correct
 * their offset, and {@link AppendClock} bounds the error of the brokers' append times.
 *
 * <h2>Windows</h2> A trial has a warm-up and a measured window. A record belongs to the window of its <i>intended</i>
 * time, the time at which the schedule requires it to be sent. A late acknowledgment therefore counts in the window in
 * which the record was due, not in the window in which the acknowledgment arrived. Response time starts at the intended
 * time and includes every delay of the load generator (no coordinated omission). Service time starts at the actual
 * send. A record that is never sent or acknowledged is charged with the time that it has waited. Throughput is an
 * exception: it counts the acknowledgments that arrive within the window. {@link SteadyLoad} decides when a warm-up may
 * end.
 *
 * <h2>Counting</h2> Each {@link Metric} is declared once with its JSON path and its merge over time and over workers.
 * {@link Counts} holds the values of an interval. The meters ({@link SendMeter}, {@link AckMeter}, {@link
 * ReceiveMeter}) are written by one owning thread without locks and drained once a second. {@link MeterReading}
 * collects all meters into a {@link Snapshot}; snapshots are contiguous and additive. {@link AckPulse} keeps
 * acknowledgments at a finer resolution, to find outages between two snapshots.
 *
 * <h2>Metrics</h2> {@link Produced}, {@link Consumed}, {@link Connected}, {@link Replied}, {@link WireUse}, and {@link
 * GeneratorUse} declare the metrics of the load. {@link Observation} holds metrics of brokers and hosts.
 */
@NullMarked
package io.plimsoll.measure;

import io.plimsoll.measure.AckMeter.AppendClock;
import io.plimsoll.measure.TrialClock.WallClock;
import org.jspecify.annotations.NullMarked;
