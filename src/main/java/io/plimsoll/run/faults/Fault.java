package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Ability;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.FaultKeys;
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

/**
 * A kind of fault as a run carries it out, declared in {@link BrokerFaults}, {@link MemberFaults} or {@link ExecFault}. Its
 * words are those of the key {@code run.fault.} and its name. Nothing changes it once it is declared.
 *
 * @param <V> those to whom it happens
 */
public final class Fault<V> implements FaultKind {
    /** Does something to somebody. */
    interface Deed<V> {
        /** @throws PlimsollException if it cannot be done */
        void to(V victim, FaultSpec spec) throws InterruptedException;
    }

    /**
     * Somebody to whom it happens.
     *
     * @param whom for people
     * @param broker its id; null if it is none
     */
    record Victim<V>(V it, Sentence whom, Integer broker) {}

    /** What becomes of one that is still in effect when the load has ended. */
    enum AfterLoad {
        /** It is ended. */
        END,
        /** It is ended only if the brokers are needed again. */
        END_IF_NEEDED,
        /** It stays: nobody misses those to whom it happened. */
        LEAVE
    }

    /** What is true of some kinds and not of others. */
    public enum Trait {
        /** Acknowledged records may be lost by it. */
        LOSES_RECORDS,
        /** To end it is a matter of milliseconds, so that it can be done for somebody who does not want to wait. */
        ENDS_QUICKLY,
        /** One that could not be begun may have been begun in part, and is ended all the same. */
        ENDS_AFTER_FAILURE,
        /** It happens to clusters of others, too. */
        ANYWHERE,
        /** The lab is another one afterwards, which the next trial does not take over. */
        CHANGES_LAB,
        /** The user must have allowed it on the command line, and says how it ends. */
        CONSENTED
    }

    /**
     * Something that can be done by hand to a broker of a lab that stays, as a command of {@code lab}.
     *
     * @param name of the command; what it is for, and what it has done, is said by {@code run.byHand.<name>}
     * @param undo the command that undoes it; null if there is nothing to undo
     * @param toTheDead whether it can be done to a broker that does not run
     * @param possible to which brokers it is done if any will do
     */
    public record ByHand(
            String name, String undo, boolean toTheDead, Predicate<LabBroker> possible, ObjIntConsumer<Lab> deed) {
        /** A line or several about the command. */
        public Sentence help() {
            return Sentence.of("run.byHand." + name + ".help");
        }

        /**
         * What was done to this broker.
         *
         * @param lab the option that names its lab
         */
        public Sentence done(int broker, String lab) {
            Sentence done = Sentence.of("run.byHand." + name + ".done", broker);
            return undo == null
                    ? done
                    : Sentence.joined(List.of(done, Sentence.of("run.byHand.undo", undo, broker, lab)));
        }
    }

    /** It cannot be done on this machine; the run goes on without it. */
    static final class Impossible extends PlimsollException {
        private static final long serialVersionUID = 1L;

        Impossible(Sentence reason) {
            super(Exit.USAGE, reason);
        }
    }

    private final Key<?> key;
    private final Function<Settings, Optional<Target>> target;
    private final BiFunction<Victims, Target, Victim<V>> search;
    private final Outage outage;
    private final Deed<V> begin;
    private final Deed<V> end;
    private BiFunction<Sentence, FaultSpec, Sentence> words;
    private List<Key<?>> keys = List.of();
    private Key<Optional<Duration>> endKey = FaultKeys.FOR;
    private Consumer<EntryReading> check = entry -> {};
    private Consumer<V> hasten = victim -> {};
    private BiFunction<LabOptions, FaultSpec, LabOptions> prepared = (lab, spec) -> lab;
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    private AfterLoad afterLoad = AfterLoad.END;
    private Optional<Duration> usually = Optional.empty();
    private Predicate<FaultSpec> changesBrokers = spec -> false;
    private List<ByHand> byHand = List.of();
    private Optional<Ability> ability = Optional.empty();

    /**
     * @param key whose value says what is done, or to whom
     * @param target to whom an entry lets it happen
     * @param search finds one of them, at the moment when it is to happen
     * @param outage what it makes of a broker
     * @param begin returns when the fault is in effect
     * @param end puts right what is wrong, as far as that is not done already
     */
    Fault(
            Key<?> key,
            Function<Settings, Optional<Target>> target,
            BiFunction<Victims, Target, Victim<V>> search,
            Outage outage,
            Deed<V> begin,
            Deed<V> end) {
        this.key = key;
        this.target = target;
        this.search = search;
        this.outage = outage;
        this.begin = begin;
        this.end = end;
        this.words = (whom, spec) -> Sentence.of("run.fault." + name(), whom);
    }

    /** @param key whose value says to whom an entry lets it happen */
    static <V> Fault<V> on(
            Key<Optional<Target>> key,
            BiFunction<Victims, Target, Victim<V>> search,
            Outage outage,
            Deed<V> begin,
            Deed<V> end) {
        return new Fault<>(key, fault -> fault.get(key), search, outage, begin, end);
    }

    /** More is said than to whom it happens. */
    Fault<V> saying(BiFunction<Sentence, FaultSpec, Sentence> said) {
        words = said;
        return this;
    }

    /** It has keys of its own. */
    Fault<V> with(Key<?>... own) {
        keys = List.of(own);
        return this;
    }

    /** Its values are held against each other. */
    Fault<V> checked(Consumer<EntryReading> problems) {
        check = problems;
        return this;
    }

    /** It is over when something is started again. */
    Fault<V> untilRestart(AfterLoad otherwise) {
        endKey = FaultKeys.RESTART_AFTER;
        afterLoad = otherwise;
        return this;
    }

    /** It takes a lab that is made for it. */
    Fault<V> on(BiFunction<LabOptions, FaultSpec, LabOptions> lab) {
        prepared = lab;
        return this;
    }

    Fault<V> having(Trait... some) {
        traits.addAll(List.of(some));
        return this;
    }

    /** It is over when what it does is done. */
    Fault<V> untilDone() {
        usually = Optional.of(Duration.ZERO);
        return this;
    }

    /** Its end takes long, and this makes it short, whoever waits for it. */
    Fault<V> hastenedBy(Consumer<V> hurry) {
        hasten = hurry;
        traits.add(Trait.ENDS_QUICKLY);
        return this;
    }

    /** It changes brokers of others, so that clusters of others are spared where this holds. */
    Fault<V> changingBrokers(Predicate<FaultSpec> where) {
        changesBrokers = where;
        return this;
    }

    /** The cluster must be able to do this. */
    Fault<V> needing(Ability needed) {
        ability = Optional.of(needed);
        return this;
    }

    /** What a cluster must be able to do beyond what every load takes. */
    public Optional<Ability> ability() {
        return ability;
    }

    Fault<V> byHand(ByHand... commands) {
        byHand = List.of(commands);
        return this;
    }

    /** The kind of a fault; all that are registered are of this class. */
    public static Fault<?> of(FaultSpec spec) {
        return (Fault<?>) spec.kind();
    }

    @Override
    public Key<?> key() {
        return key;
    }

    @Override
    public List<Key<?>> keys() {
        return keys;
    }

    @Override
    public Key<Optional<Duration>> end() {
        return endKey;
    }

    @Override
    public Optional<Duration> usually() {
        return usually;
    }

    @Override
    public boolean changesBrokers(FaultSpec spec) {
        return changesBrokers.test(spec);
    }

    @Override
    public boolean needsEnd() {
        return !has(Trait.CONSENTED);
    }

    @Override
    public Optional<Target> target(Settings fault) {
        return target.apply(fault);
    }

    @Override
    public Sentence planned(FaultSpec spec) {
        return words.apply(Victims.whom(spec.target()), spec);
    }

    @Override
    public boolean mayLoseRecords() {
        return has(Trait.LOSES_RECORDS);
    }

    @Override
    public Outage outage() {
        return outage;
    }

    @Override
    public void check(EntryReading fault) {
        check.accept(fault);
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** The lab that is needed so that it can happen. */
    public LabOptions prepared(LabOptions lab, FaultSpec spec) {
        return prepared.apply(lab, spec);
    }

    /** What can be done by hand to a broker of a lab that stays, as commands of {@code lab}. */
    public List<ByHand> byHand() {
        return byHand;
    }

    AfterLoad afterLoad() {
        return afterLoad;
    }

    /**
     * One of these that happens to somebody who is found now.
     *
     * @param whom never {@link Target.Each}
     * @throws PlimsollException if there is nobody whom it could happen to
     */
    Effect<V> on(Target whom, FaultSpec spec, Victims victims) {
        return new Effect<>(this, spec, search.apply(victims, whom));
    }

    /** One fault that happens to somebody who has been found. Begun and ended by one thread at a time. */
    record Effect<V>(Fault<V> kind, FaultSpec spec, Victim<V> victim) {
        /** The words for what is done, and to whom. */
        Sentence what() {
            return kind.words.apply(victim.whom(), spec);
        }

        void begin() throws InterruptedException {
            kind.begin.to(victim.it(), spec);
        }

        void end() throws InterruptedException {
            kind.end.to(victim.it(), spec);
        }

        /** Its end, also one that somebody waits for, takes long no more. Any thread. */
        void hasten() {
            kind.hasten.accept(victim.it());
        }
    }
}
