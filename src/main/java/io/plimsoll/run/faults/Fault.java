package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Ability;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A kind of fault that can be executed; {@code run.fault.<name>} is the key of its description. Immutable after declaration. */
public final class Fault<V> extends FaultKind {
    interface Action<V> {
        void to(V victim, FaultSpec spec) throws InterruptedException;
    }

    /** The target of a fault. {@code broker}: ID of the broker; null if the target is not a broker. */
    record Victim<V>(V it, Sentence name, @Nullable Integer broker) {}

    /** Treatment of a fault that is still in effect at the end of the load. */
    enum AfterLoad {
        END,
        /** End the fault only if the brokers are needed again. */
        END_IF_NEEDED,
        /** Keep the fault, because its targets are not needed again. */
        LEAVE
    }

    /** Properties of a kind of fault. */
    public enum Trait {
        /** Can lose acknowledged records. */
        LOSES_RECORDS,
        /** Is ended even if the user does not wait, usually within milliseconds. */
        ENDS_QUICKLY,
        /** Can be partly in effect after a failed start, so it is also ended then. */
        ENDS_AFTER_FAILURE,
        /** Can also run on shared clusters. */
        ANYWHERE,
        /** Needs members in this process, not on agents of a fleet. */
        LOCAL_MEMBERS,
        /** Changes the lab permanently, so the next trial gets a new lab. */
        CHANGES_LAB,
        /** Needs a broker as its target; a dedicated controller is impossible. */
        NEEDS_BROKER,
        /** Needs a controller quorum; ZooKeeper is impossible. */
        NEEDS_QUORUM,
        /** Requires consent on the command line, and its own undo command. */
        CONSENTED
    }

    /**
     * A manual action on a broker of a persistent lab, as a command of {@code lab}.
     *
     * @param name name of the command; {@code run.byHand.<name>} is the key of its help and result message
     * @param undo name of the inverse command
     * @param whenStopped whether the action applies to a stopped broker
     * @param possible brokers to choose from if the user does not name one
     */
    public record ByHand(
            String name,
            @Nullable String undo,
            boolean whenStopped,
            Predicate<LabBroker> possible,
            ObjIntConsumer<Lab> deed) {
        /** Help text of the command, one or more lines. */
        public Sentence help() {
            return Sentence.of("run.byHand." + name + ".help");
        }

        public Sentence done(int broker, String lab) {
            Sentence done = Sentence.of("run.byHand." + name + ".done", broker);
            return undo == null
                    ? done
                    : Sentence.joined(List.of(done, Sentence.of("run.byHand.undo", undo, broker, lab)));
        }
    }

    /** The fault is not possible on this machine; the run continues without it. */
    static final class Impossible extends PlimsollException {
        private static final long serialVersionUID = 1L;

        Impossible(Sentence reason) {
            super(Exit.USAGE, reason);
        }
    }

    private final BiFunction<Victims, Target, Victim<V>> search;
    private final Action<V> begin;
    private final Action<V> end;
    private BiFunction<Sentence, FaultSpec, Sentence> words;
    private Consumer<V> hasten = victim -> {};
    private BiFunction<LabOptions, FaultSpec, LabOptions> prepared = (lab, spec) -> lab;
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    private AfterLoad afterLoad = AfterLoad.END;
    private List<ByHand> byHand = List.of();
    private Optional<Ability> ability = Optional.empty();

    /**
     * @param key scenario key with the action or the target as its value
     * @param search finds a target when the fault is due
     * @param begin starts the fault; returns when it is in effect
     * @param end ends the fault and repairs remaining damage
     */
    Fault(
            Key<?> key,
            Function<Settings, Optional<Target>> target,
            BiFunction<Victims, Target, Victim<V>> search,
            Outage outage,
            Action<V> begin,
            Action<V> end) {
        super(key, target, outage);
        this.search = search;
        this.begin = begin;
        this.end = end;
        this.words = (name, spec) -> Sentence.of("run.fault." + name(), name);
    }

    static <V> Fault<V> on(
            Key<Optional<Target>> key,
            BiFunction<Victims, Target, Victim<V>> search,
            Outage outage,
            Action<V> begin,
            Action<V> end) {
        return new Fault<>(key, fault -> fault.get(key), search, outage, begin, end);
    }

    Fault<V> saying(BiFunction<Sentence, FaultSpec, Sentence> said) {
        words = said;
        return this;
    }

    Fault<V> with(Key<?>... own) {
        keys = List.of(own);
        return this;
    }

    Fault<V> checked(Consumer<EntryReading> problems) {
        check = problems;
        return this;
    }

    /** Makes the fault last until its target restarts; {@code otherwise} applies if it is in effect after the load. */
    Fault<V> untilRestart(AfterLoad otherwise) {
        endKey = FaultSpec.RESTART_AFTER;
        afterLoad = otherwise;
        return this;
    }

    Fault<V> on(BiFunction<LabOptions, FaultSpec, LabOptions> lab) {
        prepared = lab;
        return this;
    }

    Fault<V> having(Trait... some) {
        traits.addAll(List.of(some));
        return this;
    }

    Fault<V> untilDone() {
        usually = Optional.of(Duration.ZERO);
        return this;
    }

    /** Sets an action that shortens a slow end. */
    Fault<V> hastenedBy(Consumer<V> hurry) {
        hasten = hurry;
        traits.add(Trait.ENDS_QUICKLY);
        return this;
    }

    /** Declares under which condition the fault changes brokers; such a fault cannot run on shared clusters. */
    Fault<V> changingBrokers(Predicate<FaultSpec> where) {
        changesBrokers = where;
        return this;
    }

    Fault<V> needing(Ability needed) {
        ability = Optional.of(needed);
        return this;
    }

    public Optional<Ability> ability() {
        return ability;
    }

    Fault<V> byHand(ByHand... commands) {
        byHand = List.of(commands);
        return this;
    }

    public static Fault<?> of(FaultSpec spec) {
        return (Fault<?>) spec.kind();
    }

    @Override
    public boolean needsEnd() {
        return !has(Trait.CONSENTED);
    }

    @Override
    public Sentence planned(FaultSpec spec) {
        return words.apply(Victims.name(spec.target()), spec);
    }

    @Override
    public boolean mayLoseRecords() {
        return has(Trait.LOSES_RECORDS);
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    public LabOptions prepared(LabOptions lab, FaultSpec spec) {
        return prepared.apply(lab, spec);
    }

    /** Manual actions on brokers of a persistent lab, as commands of {@code lab}. */
    public List<ByHand> byHand() {
        return byHand;
    }

    AfterLoad afterLoad() {
        return afterLoad;
    }

    /**
     * The effect on a target other than {@link Target.Each}. Throws {@link PlimsollException} if no target is
     * available.
     */
    Effect<V> on(Target target, FaultSpec spec, Victims victims) {
        return new Effect<>(this, spec, search.apply(victims, target));
    }

    /** A fault on a specific target. Begun and ended by one thread at a time. */
    record Effect<V>(Fault<V> kind, FaultSpec spec, Victim<V> victim) {
        Sentence what() {
            return kind.words.apply(victim.name(), spec);
        }

        void begin() throws InterruptedException {
            kind.begin.to(victim.it(), spec);
        }

        void end() throws InterruptedException {
            kind.end.to(victim.it(), spec);
        }

        /** Shortens a slow end, even one in progress. Usable by any thread. */
        void hasten() {
            kind.hasten.accept(victim.it());
        }
    }
}
