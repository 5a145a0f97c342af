package io.plimsoll.result;

/** How long the warm-up of a trial was, and why it ended. */
final class WarmupFold {
    private final TimelineEvent.Course course;
    private TimelineEvent.WarmupEnded end;

    WarmupFold(TimelineEvent.Course course) {
        this.course = course;
    }

    void accept(TimelineEvent.WarmupEnded told) {
        end = told;
    }

    /** End in seconds of the trial; infinite if unknown. */
    double endSeconds() {
        if (end != null) {
            return end.seconds();
        }
        boolean untilSteady = WarmupResult.STEADY.equals(course.warmupUntil());
        return untilSteady ? Double.POSITIVE_INFINITY : course.warmupSeconds();
    }

    /** Length; the length so far without a recorded end. */
    double seconds(double lastSeconds) {
        return Double.isInfinite(endSeconds()) ? lastSeconds : endSeconds();
    }

    /**
     * Course of the warm-up.
     *
     * @param lastSeconds of the trial, as far as it is known
     * @param ended null if the trial was killed, or has not ended yet
     * @return null if the trial is of an earlier version
     */
    WarmupResult result(double lastSeconds, TimelineEvent.TrialEnded ended) {
        if (course.warmupUntil() == null) {
            return null;
        }
        boolean over = lastSeconds >= endSeconds();
        String why = end == null ? WarmupResult.TIME : end.ended();
        if (!over) {
            why = ended == null ? null : ended.length().complete() ? WarmupResult.RAN_OUT : WarmupResult.STOPPED;
        }
        double seconds = Math.min(lastSeconds, endSeconds());
        return new WarmupResult(course.warmupUntil(), seconds, why, over && end != null ? end.moving() : null);
    }
}
