package io.plimsoll.result;

import io.plimsoll.measure.Incident;
import io.plimsoll.text.Sentence;

/** Names incidents in sentences. */
final class IncidentWords {
    private IncidentWords() {}

    /** Such as "forced write to disk by broker 1 (orders-3), 213 ms"; without a duration for an instant. */
    static Sentence of(Incident incident) {
        Sentence event = Sentence.of("result.incident." + incident.kind().word(), incident.where());
        long nanos = incident.toNanos() - incident.fromNanos();
        Object lasted = nanos == 0 ? null : Units.micros(nanos / 1e3);
        if (incident.detail() == null) {
            return lasted == null ? event : Sentence.of("result.incidentLasted", event, lasted);
        }
        return lasted == null
                ? Sentence.of("result.incidentAt", event, incident.detail())
                : Sentence.of("result.incidentOf", event, incident.detail(), lasted);
    }
}
