package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;

import io.plimsoll.result.AuditResult.Counts;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.AuditResult.Identified;
import java.util.List;
import java.util.function.Function;

/** What the audit found, and whether a trial was steady. */
public final class AuditFigures implements FigureSet {
    private static final double MICROS_PER_SECOND = 1e6;

    @Override
    public List<Figure> figures() {
        return List.of(
                counted("acknowledged", "records that were acknowledged", Counts::acknowledged),
                counted("read", "records found in the log", Counts::read),
                wrong("lost", "acknowledged records that are not in the log", a -> a.counts()
                        .lost()),
                wrong("duplicated", "records that are there more than once", a -> a.counts()
                        .duplicated()),
                wrong("reordered", "records that came before one sent earlier", a -> a.counts()
                        .reordered()),
                wrong("corrupted", "records that are not as they were sent", a -> a.counts()
                        .corrupted()),
                known("phantom", "records that nobody is known to have sent", Identified::phantom),
                known("foreign", "of these, those that are not of this run", Identified::foreign),
                wrong(
                        "abortedVisible",
                        "records of aborted transactions that `read_committed` shows",
                        a -> a.identified().abortedVisible()),
                wrong("violations", "records of which a promise of Kafka's was broken", a -> a.identified()
                        .violations()),
                counted("unknown", "records of which neither success nor failure is known", Counts::unknown),
                of(
                        "processedTwice",
                        "records that a group was given again",
                        a -> inGroups(a, GroupAudit::processedTwice)),
                of("skipped", "records that no member of a group was given", a -> inGroups(a, GroupAudit::skipped)),
                of(
                        "givenUp",
                        "records that the members of share groups rejected, or were given as often as allowed without accepting"
                                + " them",
                        a -> inGroups(a, GroupAudit::givenUp)),
                Figure.of("trial.steady", "1 if the trial was steady, 0 if not", COUNT)
                        .read(trial -> trial.course().steady() == null
                                ? null
                                : Integer.valueOf(trial.course().steady() ? 1 : 0)),
                Figure.of(
                                "trial.topicsCreated",
                                "time to create the topics of the trial, until all their partitions have a leader",
                                MICROSECONDS)
                        .called("topics created", "创建主题")
                        .read(trial -> trial.course().topicsSeconds() == null
                                ? null
                                : trial.course().topicsSeconds() * MICROS_PER_SECOND));
    }

    private static Figure counted(String name, String meaning, Function<Counts, Number> where) {
        return of(name, meaning, a -> where.apply(a.counts()));
    }

    private static Figure known(String name, String meaning, Function<Identified, Number> where) {
        return of(name, meaning, a -> where.apply(a.identified()));
    }

    /** What must not be: that there is none is known only once everything was examined. */
    private static Figure wrong(String name, String meaning, Function<AuditResult, Long> where) {
        return of(name, meaning, a -> {
            Long found = where.apply(a);
            return found == null || (found == 0 && !a.complete()) ? null : found;
        });
    }

    private static Figure of(String name, String meaning, Function<AuditResult, Number> where) {
        return Figure.of("audit." + name, meaning, COUNT)
                .read(trial -> trial.audit() == null ? null : where.apply(trial.audit()));
    }

    /** The sum over all groups; null if it is not known of each. */
    private static Long inGroups(AuditResult a, Function<GroupAudit, Long> figure) {
        List<Long> all =
                a.groups() == null ? List.of() : a.groups().stream().map(figure).toList();
        boolean known = !all.isEmpty() && !all.contains(null);
        return known ? Long.valueOf(all.stream().mapToLong(n -> n).sum()) : null;
    }
}
