package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.client.ClientProducers;
import io.plimsoll.engine.client.ClientProperties;
import io.plimsoll.engine.raw.RawConsumers;
import io.plimsoll.engine.raw.RawProducers;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Whether the engines can do what a plan asks for; needs no cluster. */
final class PlanCheck {
    private PlanCheck() {}

    /** @throws PlimsollException {@link Exit#USAGE} with every misfit, one a line */
    static void check(Plan plan, long seed) {
        EngineContext context =
                new EngineContext(Map.of("bootstrap.servers", "localhost:1"), "check", 0, seed, text -> {});
        Set<String> misfits = new LinkedHashSet<>();
        for (Plan.Trial trial : plan.trials()) {
            String where = plan.trials().size() == 1 ? "" : "trial " + trial.name() + ": ";
            int index = 0;
            for (ProducerSpec spec : trial.scenario().producers()) {
                String part = "producers[" + index++ + "]";
                collect(misfits, where, () -> checkProducer(context, spec, part));
            }
            index = 0;
            for (ConsumerSpec spec : trial.scenario().consumers()) {
                String part = "consumers[" + index++ + "]";
                collect(misfits, where, () -> checkConsumer(context, spec, part));
            }
        }
        if (!misfits.isEmpty()) {
            throw new PlimsollException(Exit.USAGE, String.join("\n", misfits));
        }
    }

    private static void checkProducer(EngineContext context, ProducerSpec spec, String part) {
        ClientProperties.parseProducer(ClientProperties.of(context, spec, part, 0), part);
        if (spec.engine() == Engine.RAW) {
            RawProducers.check(spec, part);
        } else if (spec.connections() > 1) {
            throw new PlimsollException(
                    Exit.USAGE,
                    part + ".connections: the official client has one connection to each broker; use engine: raw or"
                            + " more clients");
        }
        // Reads a payload file and resolves the rate, without a connection.
        new ClientProducers(context, spec, part, 0).close();
    }

    private static void checkConsumer(EngineContext context, ConsumerSpec spec, String part) {
        ClientProperties.parseConsumer(ClientProperties.of(context, spec, "check", 0), part);
        if (spec.engine() == Engine.RAW) {
            RawConsumers.check(spec, part);
        }
    }

    private static void collect(Set<String> misfits, String where, Runnable check) {
        try {
            check.run();
        } catch (PlimsollException e) {
            misfits.add(where + e.getMessage());
        }
    }
}
