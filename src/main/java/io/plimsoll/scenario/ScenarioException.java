package io.plimsoll.scenario;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario that cannot be read or cannot work; carries every mistake found, not only the first. */
public class ScenarioException extends PlimsollException {
    private final transient List<Problem> problems;

    public ScenarioException(List<Problem> problems) {
        super(Exit.USAGE, problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
