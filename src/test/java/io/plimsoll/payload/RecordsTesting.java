package io.plimsoll.payload;

import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;

/** Shortcuts for records in the tests of this package. */
final class RecordsTesting {
    static final long RUN_ID = 0x1122_3344_5566_7788L;
    static final long SEED = 20_240_607;

    private RecordsTesting() {}

    static RecordSpec random(int size, double ratio) {
        return RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(size))
                .with(RecordSpec.RANDOM_BYTES_RATIO, ratio);
    }

    static RecordSpec keyed(KeySpec key) {
        return RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(100))
                .with(RecordSpec.KEY, key);
    }

    static RecordSpec of(Payload payload) {
        return RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(100))
                .with(RecordSpec.PAYLOAD, payload);
    }

    static RecordGenerator generator(RecordSpec record) {
        return generator(record, SEED, 0, 1);
    }

    static RecordGenerator generator(RecordSpec record, long seed, int index, int count) {
        return RecordGenerator.of(
                record, seed, index, count, RUN_ID, PayloadSource.load(record, seed), RecordGenerator.NO_PRODUCER);
    }
}
