package io.plimsoll.scenario;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.List;

/** A scenario that cannot be read or cannot work; contains every error, not only the first. */
public class ScenarioException extends PlimsollException {
    private final transient List<Problem> problems;

    public ScenarioException(List<Problem> problems) {
        super(
                Exit.USAGE,
                Sentence.lines(problems.stream().map(Problem::sentence).toList()));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
