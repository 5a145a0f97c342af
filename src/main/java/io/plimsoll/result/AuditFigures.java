package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;

import io.plimsoll.result.AuditResult.GroupAudit;
import java.util.List;
import java.util.function.Function;

/** What the audit found, and whether a trial was steady. */
public final class AuditFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        return List.of(
                of("acknowledged", "records that were acknowledged", a -> a.counts()
                        .acknowledged()),
                of("read", "records found in the log", a -> a.counts().read()),
                of("lost", "acknowledged records that are not in the log", a -> a.counts()
                        .lost()),
                of("duplicated", "records that are there more than once", a -> a.counts()
                        .duplicated()),
                of("reordered", "records that came before one sent earlier", a -> a.counts()
                        .reordered()),
                of("corrupted", "records that are not as they were sent", a -> a.counts()
                        .corrupted()),
                of("phantom", "records that nobody is known to have sent", a -> a.identified()
                        .phantom()),
                of("foreign", "of these, those that are not of this run", a -> a.identified()
                        .foreign()),
                of("abortedVisible", "records of aborted transactions that `read_committed` shows", a -> a.identified()
                        .abortedVisible()),
                of("violations", "records of which a promise of Kafka's was broken", a -> a.identified()
                        .violations()),
                of("unknown", "records of which neither success nor failure is known", a -> a.counts()
                        .unknown()),
                of(
                        "processedTwice",
                        "records that a group was given again",
                        a -> inGroups(a, GroupAudit::processedTwice)),
                of("skipped", "records that no member of a group was given", a -> inGroups(a, GroupAudit::skipped)),
                Figure.of("trial.steady", COUNT)
                        .means("1 if the trial was steady, 0 if not")
                        .read(trial -> trial.course().steady() == null
                                ? null
                                : Integer.valueOf(trial.course().steady() ? 1 : 0)));
    }

    private static Figure of(String name, String meaning, Function<AuditResult, Number> where) {
        return Figure.of("audit." + name, COUNT)
                .means(meaning)
                .read(trial -> trial.audit() == null ? null : where.apply(trial.audit()));
    }

    /** Of all groups together; null if it is not known of each. */
    private static Long inGroups(AuditResult a, Function<GroupAudit, Long> figure) {
        if (a.groups() == null || a.groups().isEmpty()) {
            return null;
        }
        long sum = 0;
        for (GroupAudit group : a.groups()) {
            Long of = figure.apply(group);
            if (of == null) {
                return null;
            }
            sum += of;
        }
        return sum;
    }
}
