package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.run.CellSearch.CeilingProof;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guards that a change which moves the ceiling proves the suspect that it removes, and no other. */
class CeilingCauseTest {
    private static final Limits LIMITS = new Limits(
            List.of(
                    suspect("quota", Sentence.of("diagnose.producers"), 0.9),
                    suspect("replication", Sentence.verbatim("broker 2"), 0.5),
                    suspect("disk", null, 0.1)),
            List.of(),
            List.of());

    private static Suspect suspect(String cause, Sentence where, double score) {
        Sentence limit = Sentence.of("diagnose.cause." + cause);
        return new Suspect(limit, where, score, limit, List.of(Sentence.of("diagnose.idle", "3 %")));
    }

    private static Probe probe(String lifted, boolean moved) {
        Sentence acks = Sentence.verbatim("acks");
        return new Probe(acks, acks, List.of(lifted), 1e3, 1e3, 1e3, moved, acks);
    }

    @Test
    void suspectLiftedByEffectiveChangeIsProvedAndNamedFirst() {
        Cause cause = CeilingProof.cause(LIMITS, List.of(probe("client quota", false), probe("replication", true)));
        assertThat(cause.proved()).isTrue();
        assertThat(cause.named().limit().english()).isEqualTo("replication");
        assertThat(cause.proof().english()).isEqualTo("Proved: changing acks alone moves the ceiling.");
        assertThat(cause.others()).singleElement().satisfies(other -> {
            assertThat(other.limit().english()).isEqualTo("client quota, producers");
            assertThat(other.limit().in(Language.ZH)).isEqualTo("客户端配额，生产者");
        });
    }

    @Test
    void liftingAnUnsuspectedLimitProvesNothing() {
        Cause cause = CeilingProof.cause(LIMITS, List.of(probe("disk", true), probe("replication", false)));
        assertThat(cause.proved()).isFalse();
        assertThat(cause.named().limit().english()).isEqualTo("client quota");
        assertThat(cause.proof().english()).startsWith("Not proved");
        assertThat(CeilingProof.cause(LIMITS, List.of()).proof()).isNull();
    }
}
