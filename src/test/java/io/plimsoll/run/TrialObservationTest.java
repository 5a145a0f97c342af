package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.run.guards.GuardWatch;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Observation continues for the whole trial, and a hung source blocks nothing. */
class TrialObservationTest {
    private static final String YAML = "name: seen\ntopics: [{name: seen}]\nproducers: [{topic: seen, records: 1}]\n";

    @TempDir
    Path out;

    /** Snapshots report that the timeline cannot be written: observers stay silent and continue. */
    @Test
    void survivesUnwritableTimeline() throws Exception {
        RunRequest request = Runs.request(YAML, SharedLab.oneBroker().bootstrapServers(), out);
        LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<String> problems = new LinkedBlockingQueue<>();
        try (ClusterSession cluster = new ClusterSession(request, new Interruption());
                GuardWatch guards = new GuardWatch(List.of(), request.limits(), null);
                TrialObservation observation =
                        new TrialObservation(request, cluster, p -> problems.add(p.english()), guards)) {
            observation.begin(
                    System.nanoTime(),
                    request.plan().trials().get(0).scenario(),
                    OptionalDouble.empty(),
                    observed -> {
                        seen.add(observed.what());
                        throw new PlimsollException(Exit.INTERNAL, Sentence.verbatim("No space left on device"));
                    },
                    incidents -> {},
                    broker -> false);
            for (String what : List.of("host", "host", "host")) {
                assertThat(next(seen, what)).isEqualTo(what);
            }
        }
        assertThat(problems).isEmpty();
    }

    private static String next(LinkedBlockingQueue<String> seen, String wanted) throws InterruptedException {
        String what = seen.poll(30, TimeUnit.SECONDS);
        while (what != null && !what.equals(wanted)) {
            what = seen.poll(30, TimeUnit.SECONDS);
        }
        return what;
    }
}
