package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Locale;

/** The process of a broker ends or stands still. */
final class ProcessEffect implements Effect {
    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(60);

    enum Kind {
        KILL,
        STOP,
        PAUSE
    }

    private final Kind kind;
    private final Lab lab;
    private final int id;
    private final String whom;

    ProcessEffect(Kind kind, Lab lab, int id, String whom) {
        this.kind = kind;
        this.lab = lab;
        this.id = id;
        this.whom = whom;
    }

    @Override
    public String what() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + whom;
    }

    @Override
    public Integer broker() {
        return id;
    }

    @Override
    public void begin() {
        LabBroker broker = state();
        if (!broker.alive()) {
            throw new PlimsollException(Exit.CLUSTER, Sentence.of("run.brokerNotRunning", id));
        }
        switch (kind) {
            case KILL -> lab.kill(id);
            case STOP -> lab.shutDown(id, SHUTDOWN_PATIENCE);
            case PAUSE -> lab.pause(id);
        }
    }

    @Override
    public void end() {
        LabBroker broker = state();
        if (kind == Kind.PAUSE) {
            // It may have been killed by another fault meanwhile, which will see to it.
            if (broker.alive()) {
                lab.resume(id);
            }
        } else if (!broker.alive()) {
            lab.restart(id);
        }
    }

    private LabBroker state() {
        return lab.brokers().stream()
                .filter(broker -> broker.id() == id)
                .findFirst()
                .orElseThrow(() -> new PlimsollException(Exit.USAGE, Sentence.of("run.labHasNoBroker", id)));
    }

    @Override
    public boolean endsQuickly() {
        return kind == Kind.PAUSE;
    }
}
