package io.plimsoll.scenario;

import java.util.List;
import java.util.Optional;

/**
 * What a scenario asks to be looked at beside its own load.
 *
 * @param groups ids of consumer groups of others
 * @param replicas what the application of these groups is scaled to before a trial; 0: it is left alone
 * @param scaleWith the command that does so, in which {@code {n}} stands for the number
 */
public record ObserveSpec(List<String> groups, int replicas, Optional<String> scaleWith) {
    public static final ObserveSpec NONE = new ObserveSpec(List.of(), 0, Optional.empty());

    public ObserveSpec {
        groups = List.copyOf(groups);
    }
}
