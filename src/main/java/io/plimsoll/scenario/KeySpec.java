package io.plimsoll.scenario;

/** The choice of each record's key, and its encoding. */
public sealed interface KeySpec {
    default Type type() {
        return Type.STRING;
    }

    /** Null keys: the partitioner chooses the partition. */
    record None() implements KeySpec {}

    /** The numbers 0, 1, 2, …, across all threads of the producer entry. */
    record Sequential(Type type) implements KeySpec {}

    /** One of {@code n} keys, all equally likely. */
    record Uniform(long n, Type type) implements KeySpec {}

    /** Each thread cycles through {@code n} keys; the threads begin at different keys. */
    record RoundRobin(long n, Type type) implements KeySpec {}

    /**
     * One of {@code n} keys by Zipf's law: the k-th key has a probability proportional to {@code k^-s}, with s above 0.
     */
    record Zipf(double s, long n, Type type) implements KeySpec {}

    /** The same key for every record. */
    record Fixed(String value, Type type) implements KeySpec {}

    /** Numbers of type {@link Type#STRING} with leading zeros, so that each key has at least this number of bytes. */
    record Padded(KeySpec numbers, int bytes) implements KeySpec {}

    /** Keys generated from a schema. */
    record InSchema(SchemaSpec schema) implements KeySpec {}

    /** An encoding of a key's number. */
    enum Type {
        /** 4 bytes, big-endian, as written by Kafka's IntegerSerializer. */
        INTEGER("int"),
        /** Decimal digits in UTF-8, as written by Kafka's StringSerializer. */
        STRING("string"),
        /** 8 bytes, big-endian. */
        BYTES("bytes");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }
}
