package io.plimsoll.result;

import io.plimsoll.measure.Incident;
import io.plimsoll.result.SlowMoment.Cause;
import io.plimsoll.text.Sentence;
import java.util.Set;
import java.util.stream.Stream;

/** Describes the causes of slow moments in sentences. */
public final class IncidentWords {
    private static final Set<String> PLACES = Set.of("generator", "host", "cluster");
    private static final Set<String> NAMED = Set.of("group", "host");

    /** Such as "log flush to disk on broker 1 (orders-3), 213 ms"; without a duration for an instant. */
    public static Sentence of(Cause cause) {
        Object where = place(cause.where());
        // An event of a later version has no name in this version.
        boolean known =
                Stream.of(Incident.Kind.values()).anyMatch(kind -> kind.word().equals(cause.event()));
        Sentence event = known
                ? Sentence.of("result.incident." + cause.event(), where)
                : Sentence.verbatim(cause.event() + " (" + cause.where() + ")");
        double micros = (cause.toSeconds() - cause.fromSeconds()) * 1e6;
        Object lasted = micros < 1 ? null : Units.micros(micros);
        if (cause.detail() == null) {
            return lasted == null ? event : Sentence.of("result.incidentLasted", event, lasted);
        }
        return lasted == null
                ? Sentence.of("result.incidentAt", event, cause.detail())
                : Sentence.of("result.incidentOf", event, cause.detail(), lasted);
    }

    /** The place of an event. */
    public static Sentence place(Cause cause) {
        return place(cause.where()) instanceof Sentence named ? named : Sentence.verbatim(cause.where());
    }

    private static Object place(String where) {
        int space = where.indexOf(' ');
        if (space > 0 && NAMED.contains(where.substring(0, space))) {
            return Sentence.of("result.placeOf." + where.substring(0, space), where.substring(space + 1));
        }
        return PLACES.contains(where) ? Sentence.of("result.place." + where) : where;
    }
}
