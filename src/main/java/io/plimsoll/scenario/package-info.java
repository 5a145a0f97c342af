/**
 * The scenario model and its YAML reader. Pure: no Kafka, clock or thread. A text results in an immutable
 * {@link io.plimsoll.scenario.Scenario} or a list of {@link io.plimsoll.scenario.Problem}s.
 */
@NullMarked
package io.plimsoll.scenario;

import org.jspecify.annotations.NullMarked;
