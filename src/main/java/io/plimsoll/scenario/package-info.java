/**
 * The model of what the user asked for, and its YAML reader. Pure: knows no Kafka, no clock and no thread; text comes
 * in, an immutable {@link io.plimsoll.scenario.Scenario} or a list of {@link io.plimsoll.scenario.Problem}s comes out.
 */
package io.plimsoll.scenario;
