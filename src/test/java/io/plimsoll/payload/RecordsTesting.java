package io.plimsoll.payload;

import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;

/** Short ways to say what the tests of this package generate. */
final class RecordsTesting {
    static final long RUN_ID = 0x1122_3344_5566_7788L;
    static final long SEED = 20_240_607;

    private RecordsTesting() {}

    static RecordSpec random(int size, double ratio) {
        return new RecordSpec(size, new KeySpec.None(), new Payload.Random(), ratio, Headers.NONE);
    }

    static RecordSpec keyed(KeySpec key) {
        return new RecordSpec(100, key, new Payload.Random(), 1, Headers.NONE);
    }

    static RecordSpec of(Payload payload) {
        return new RecordSpec(100, new KeySpec.None(), payload, 1, Headers.NONE);
    }

    static RecordGenerator generator(RecordSpec record) {
        return generator(record, SEED, 0, 1);
    }

    static RecordGenerator generator(RecordSpec record, long seed, int index, int count) {
        return RecordGenerator.of(record, seed, index, count, RUN_ID, PayloadSource.load(record, seed));
    }
}
